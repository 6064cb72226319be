#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "proto_pg/client/scram_key_cache.hpp"
#include "proto_pg/client/tls_context.hpp"
#include "src/engine/run.hpp"
#include "tests/support/backend_messages.hpp"
#include "tests/support/fake_server.hpp"

namespace integration {

/// A scripted server that logs everybody in, prepares everything, keeps transaction blocks as PostgreSQL
/// does, counts, and leaves it to the test what an execution is answered with.
class ServerOfAnswers {
 public:
  struct Execution {
    std::string statement;
    int login;   ///< which of the connections, from 0
    int number;  ///< which execution on this connection, from 0; BEGIN and COMMIT do not count
    support::FakeSession& session;
  };
  /// Without the ReadyForQuery behind it.
  using Answer = std::function<std::string(const Execution&)>;
  /// In place of a welcome, for the `login`-th connection.
  using Greeting = std::function<void(support::FakeSession&, int login)>;

  explicit ServerOfAnswers(
      Answer answer = [](const Execution&) { return row(); }, Greeting greeting = welcome);

  static std::string row() {
    return support::backend::data_row({"value"}) + support::backend::command_complete("SELECT 1");
  }
  static void welcome(support::FakeSession& session, int login);

  std::uint16_t port() const { return server_.port(); }
  int logins() const { return logins_; }
  int cancels() const { return cancels_; }
  int rollbacks() const { return rollbacks_; }
  std::string finish() { return server_.finish(); }

 private:
  void play(support::FakeSession& session);
  void serve(support::FakeSession& session, int login);
  std::string executed(const Execution& execution, char& status);

  Answer answer_;
  Greeting greeting_;
  std::atomic<int> logins_{0};
  std::atomic<int> cancels_{0};
  std::atomic<int> rollbacks_{0};
  support::FakeServer server_;
};

/// One row by key: what --pipeline can batch.
class Reading : public workloads::api::Workload {
 public:
  std::vector<workloads::api::TableSpec> tables() const override { return {}; }
  std::string data_summary() const override { return {}; }
  std::string key_summary() const override { return {}; }
  std::vector<workloads::api::StatementSpec> statements() const override;
  std::vector<std::string> kinds() const override { return {"reading"}; }
  workloads::api::KindId append(workloads::api::Session& session) const override;
};

/// BEGIN, one statement, COMMIT; returns early when a statement fails.
class Booking : public Reading {
 public:
  std::vector<workloads::api::StatementSpec> statements() const override;
  boost::asio::awaitable<workloads::api::KindId> transaction(workloads::api::Session& session) const override;
};

/// One run of the engine against scripted servers, on loopback.
class EngineRun {
 public:
  explicit EngineRun(std::vector<std::uint16_t> ports);

  pgload::engine::RunPlan plan;
  pgload::engine::RunObserver observer;
  proto_pg::client::ConnectInfo info;

  /// Checks that the counts add up.
  pgload::stats::RunResult operator()(const workloads::api::Workload& workload = Reading());
};

}  // namespace integration
