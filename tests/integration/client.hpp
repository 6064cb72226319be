#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "proto_pg/client/connect_info.hpp"
#include "proto_pg/client/connection.hpp"
#include "proto_pg/client/scram_key_cache.hpp"
#include "proto_pg/client/tls_context.hpp"
#include "tests/support/loop.hpp"

namespace integration {

/// What a client finds around it instead of the environment of whoever runs the tests.
struct Around {
  std::string home{};
  std::map<std::string, std::string> environment{};
};

/// One Connection with all that it needs, made from a conninfo string and driven by a loop of its own.
class Client {
 public:
  /// Throws ConnectInfoError, as the parts do.
  explicit Client(const std::string& conninfo, const Around& around = {});

  /// Opens to the host of this number in the list.
  const proto_pg::client::OpenFailure& open(std::size_t host = 0);
  const proto_pg::client::OpenFailure& failure() const { return failure_; }
  bool refused_with(const char* sqlstate) const;

  proto_pg::client::Connection::Result query(const std::string& sql);
  /// The first column of the first row; empty if there is none; the server's message after "error: ".
  std::string value(const std::string& sql);
  std::error_code run(proto_pg::client::ReplyVisitor visitor = {});

  const proto_pg::client::ConnectInfo& info() const { return info_; }
  proto_pg::client::ConnectContext context() { return {info_, tls_, keys_}; }
  proto_pg::client::Connection& connection() { return connection_; }
  support::Loop& loop() { return loop_; }
  const std::vector<std::string>& warnings() const { return *warnings_; }

 private:
  std::shared_ptr<std::vector<std::string>> warnings_;
  proto_pg::client::ConnectInfo info_;
  proto_pg::client::TlsContext tls_;
  proto_pg::client::ScramKeyCache keys_;
  support::Loop loop_;
  proto_pg::client::Connection connection_;
  proto_pg::client::OpenFailure failure_;
};

/// "host=127.0.0.1 port=… dbname=postgres user=… more"
std::string conninfo(std::uint16_t port, const std::string& user, const std::string& more = "");

}  // namespace integration
