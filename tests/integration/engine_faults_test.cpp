// What happens to a run's transactions when the server misbehaves, and whether all of it is counted.

#include <doctest/doctest.h>

#include "tests/integration/engine_run.hpp"

namespace {

using namespace std::chrono_literals;
using namespace support::backend;
using integration::Booking;
using integration::EngineRun;
using integration::Reading;
using integration::ServerOfAnswers;
using pgload::stats::ErrorClass;
using pgload::stats::RunResult;
using Execution = ServerOfAnswers::Execution;

/// `answer` for one execution of the first connection, a row for all others.
ServerOfAnswers::Answer once(int number, std::function<std::string(const Execution&)> answer) {
  return [=](const Execution& execution) {
    return execution.login == 0 && execution.number == number ? answer(execution) : ServerOfAnswers::row();
  };
}

ServerOfAnswers::Answer once_error(int number, const char* sqlstate) {
  return once(number, [=](const Execution&) { return error(sqlstate, "no luck"); });
}

std::string silence(const Execution& execution) {
  execution.session.hold();
  return {};
}

TEST_CASE("a serialization failure is retried after ROLLBACK, and counted as retried") {
  ServerOfAnswers server(once_error(2, "40001"));
  EngineRun run({server.port()});
  const RunResult result = run(Booking());
  CHECK(result.transactions.completed == 10);
  CHECK(result.transactions.retries == 1);
  CHECK(result.transactions.attempts == 11);
  CHECK(server.rollbacks() == 1);
  CHECK(result.hosts[0].connections_lost == 0);
  REQUIRE(result.errors.size() == 1);
  CHECK(result.errors[0].error_class == ErrorClass::server);
  CHECK(result.errors[0].sqlstate == "40001");
  CHECK(result.errors[0].statement == "read");
  CHECK(result.errors[0].message == "no luck");
  CHECK(result.errors[0].retried == 1);
  CHECK(server.finish() == "");
}

TEST_CASE("after the last retry a transaction has failed") {
  ServerOfAnswers server([](const Execution&) { return error("40P01", "deadlock"); });
  EngineRun run({server.port()});
  run.plan.transactions = 2;
  run.plan.max_retries = 3;
  const RunResult result = run(Booking());
  CHECK(result.transactions.failed == 2);
  CHECK(result.transactions.retries == 6);
  CHECK(result.errors.at(0).count == 8);
  CHECK(result.errors.at(0).retried == 6);
  CHECK(server.rollbacks() == 8);
}

TEST_CASE("an error that no retry mends fails one transaction and leaves the session usable") {
  ServerOfAnswers server(once_error(0, "23505"));
  EngineRun run({server.port()});
  const RunResult result = run(Booking());
  CHECK(result.transactions.failed == 1);
  CHECK(result.transactions.completed == 9);
  CHECK(server.rollbacks() == 1);
  CHECK(server.logins() == 1);
}

TEST_CASE("an unexpected answer that ends a transaction early leaves no open block behind") {
  ServerOfAnswers server(once(0, [](const Execution&) { return command_complete("SELECT 0"); }));
  EngineRun run({server.port()});
  const RunResult result = run(Booking());
  CHECK(result.transactions.unexpected == 1);
  CHECK(result.transactions.failed == 1);
  CHECK(server.rollbacks() == 1);
}

TEST_CASE("a link that dies fails its transaction, and the session reconnects") {
  for (const bool words : {false, true}) {
    CAPTURE(words);
    ServerOfAnswers server(once(3, [=](const Execution& execution) {
      if (words) execution.session.send(error("57P01", "shutting down", "FATAL"));
      if (words) throw std::runtime_error("closed");
      execution.session.reset();
      return std::string();
    }));
    EngineRun run({server.port()});
    const RunResult result = run();
    CHECK(result.transactions.completed == 9);
    CHECK(result.transactions.failed == 1);
    CHECK(result.hosts[0].connections_lost == 1);
    CHECK(result.hosts[0].reconnects == 1);
    REQUIRE(result.errors.size() == 1);
    CHECK(result.errors[0].error_class == (words ? ErrorClass::server : ErrorClass::lost));
    CHECK(result.errors[0].sqlstate == (words ? "57P01" : ""));
    CHECK(server.logins() == 2);
  }
}

TEST_CASE("a statement that takes too long costs the session its connection, class timeout") {
  ServerOfAnswers server(once(1, silence));
  EngineRun run({server.port()});
  run.plan.statement_timeout = 300ms;
  const RunResult result = run();
  CHECK(result.transactions.completed == 9);
  CHECK(result.transactions.failed == 1);
  CHECK(result.hosts[0].connections_lost == 1);
  REQUIRE(result.errors.size() == 1);
  CHECK(result.errors[0].error_class == ErrorClass::timeout);
  CHECK(result.errors[0].statement == "read");
}

TEST_CASE("what still runs after the drain is cancelled at the server and marked as unfinished") {
  ServerOfAnswers server(silence);
  EngineRun run({server.port()});
  run.plan.sessions = 3;
  run.plan.transactions.reset();
  run.plan.time = 400ms;
  run.plan.drain = 50ms;
  const RunResult result = run();
  CHECK(result.transactions.started == 3);
  CHECK(result.transactions.unfinished == 3);
  CHECK(result.service().at_least_count() == 3);
  CHECK(result.service().max() >= 400ms);
  CHECK(server.cancels() == 3);
  CHECK(result.hosts[0].connections_lost == 0);
  CHECK(server.logins() == 3);
  REQUIRE(result.errors.size() == 1);
  CHECK(result.errors[0].error_class == ErrorClass::cancelled);
  CHECK(result.errors[0].count == 3);
}

TEST_CASE("a statement that somebody else cancels has failed") {
  ServerOfAnswers server(once_error(0, "57014"));
  EngineRun run({server.port()});
  const RunResult result = run();
  CHECK(result.transactions.failed == 1);
  CHECK(result.transactions.unfinished == 0);
  CHECK(result.errors.at(0).error_class == ErrorClass::server);
}

TEST_CASE("an answer against the protocol is an error of its own class") {
  ServerOfAnswers server(once(4, [](const Execution&) { return parse_complete(); }));
  EngineRun run({server.port()});
  const RunResult result = run();
  CHECK(result.transactions.failed == 1);
  CHECK(result.hosts[0].reconnects == 1);
  CHECK(result.errors.at(0).error_class == ErrorClass::protocol);
}

TEST_CASE("--transactions is exact, over sessions, workers, batches and the end of the warm-up") {
  ServerOfAnswers server;
  EngineRun run({server.port()});
  run.plan.sessions = 5;
  run.plan.io_threads = 2;
  run.plan.warmup = 30ms;
  run.plan.transactions = 1003;
  for (const std::uint32_t pipeline : {1U, 7U}) {
    CAPTURE(pipeline);
    run.plan.pipeline = pipeline;
    const RunResult result = run();
    CHECK(result.transactions.completed == 1003);
    CHECK(result.transactions.arrivals == 1003);
  }
}

TEST_CASE("an error inside a batch fails one transaction of it, and is not retried") {
  ServerOfAnswers server(once_error(2, "40001"));
  EngineRun run({server.port()});
  run.plan.pipeline = 4;
  run.plan.transactions = 8;
  const RunResult result = run();
  CHECK(result.transactions.completed == 7);
  CHECK(result.transactions.failed == 1);
  CHECK(result.transactions.retries == 0);
  CHECK(result.errors.at(0).retried == 0);
  CHECK(server.logins() == 1);
}

TEST_CASE("each error of a batch keeps its own words") {
  ServerOfAnswers server([](const Execution& execution) {
    if (execution.number == 0) return error("22012", "first");
    if (execution.number == 2) return error("22003", "second");
    return ServerOfAnswers::row();
  });
  EngineRun run({server.port()});
  run.plan.pipeline = 4;
  run.plan.transactions = 4;
  const RunResult result = run();
  REQUIRE(result.errors.size() == 2);
  for (const auto& row : result.errors) {
    CHECK(row.message == (row.sqlstate == "22003" ? "second" : ""));
  }
}

TEST_CASE("the end waits for no ROLLBACK that hangs, and the watchdog does not either") {
  ServerOfAnswers server(once(0, [](const Execution& execution) {
    execution.session.send(bind_complete() + error("23505", "duplicate") + ready('E'));
    execution.session.expect('S');
    execution.session.hold();
    return std::string();
  }));
  EngineRun run({server.port()});
  run.plan.statement_timeout = 300ms;
  const RunResult result = run(Booking());
  CHECK(result.transactions.failed == 1);
  CHECK(result.transactions.completed == 9);
  CHECK(result.hosts[0].connections_lost == 1);
}

TEST_CASE("a login that hangs does not hold up the end") {
  ServerOfAnswers server(once(0,
                              [](const Execution& execution) {
                                execution.session.reset();
                                return std::string();
                              }),
                         [](support::FakeSession& session, int login) {
                           if (login > 0) session.hold();
                           session.send(welcome());
                         });
  EngineRun run({server.port()});
  run.info.connect_timeout = 0ms;
  run.plan.transactions.reset();
  run.plan.time = 500ms;
  const auto began = std::chrono::steady_clock::now();
  const RunResult result = run();
  CHECK(std::chrono::steady_clock::now() - began < 5s);
  CHECK(result.transactions.failed == 1);
  CHECK(result.transactions.unfinished == 0);
  CHECK(result.hosts[0].reconnects == 0);
}

struct Broken : Reading {
  boost::asio::awaitable<workloads::api::KindId> transaction(
      workloads::api::Session& session) const override {
    if (session.number() == 1) throw std::logic_error("a fault of the workload");
    const std::int64_t key = 7;
    co_await session.execute(0, 0, key);
    co_return 0;
  }
};

TEST_CASE("a fault of this program ends the run with its words, though other sessions wait") {
  ServerOfAnswers server(silence);
  EngineRun run({server.port()});
  run.plan.sessions = 4;
  run.plan.io_threads = 2;
  CHECK_THROWS_WITH_AS(run(Broken()), "a fault of the workload", std::logic_error);
}

}  // namespace
