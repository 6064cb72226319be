#pragma once

#include <memory>

#include "proto_pg/client/connection.hpp"
#include "proto_pg/client/scram_key_cache.hpp"
#include "proto_pg/client/tls_context.hpp"
#include "src/cli/command_line.hpp"
#include "src/cli/signals.hpp"
#include "src/server/throwaway_server.hpp"

namespace pgload::cli {

/// The database that a command works on: the user's own, or a throwaway server that lives as long as this
/// object.
class Database {
 public:
  /// Starts the server for --ephemeral, asks for the password for -W, and on a terminal if the server wants
  /// one that is not known. Throws UsageError, ConnectInfoError, DataError, ThrowawayServerError (a signal:
  /// server::Interrupted), PromptCancelled.
  Database(const CommandLine& line, const Signals& signals);

  const proto_pg::client::ConnectInfo& info() const { return info_; }
  const proto_pg::client::ConnectContext& context() const { return context_; }
  const server::ThrowawayServer* throwaway() const { return throwaway_.get(); }

 private:
  std::unique_ptr<server::ThrowawayServer> throwaway_;
  proto_pg::client::ConnectInfo info_;
  proto_pg::client::TlsContext tls_;
  proto_pg::client::ScramKeyCache scram_keys_;
  proto_pg::client::ConnectContext context_;
};

/// Where set-up work goes; `workload` then speaks the dialect that was asked for, or found there.
data::Target speak_to(const CommandLine& line, const Database& database, workloads::api::Workload& workload);

/// The user left the password prompt with Ctrl-C.
struct PromptCancelled : std::runtime_error {
  PromptCancelled() : std::runtime_error("cancelled") {}
};

}  // namespace pgload::cli
