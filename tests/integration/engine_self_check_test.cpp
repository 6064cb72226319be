// What the client says of itself: its own part of a latency, and not the server's.

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

#include "src/stats/verdict.hpp"
#include "tests/integration/engine_run.hpp"

namespace {

using namespace std::chrono_literals;
using integration::EngineRun;
using integration::ServerOfAnswers;
using pgload::stats::RunResult;
using Execution = ServerOfAnswers::Execution;

/// A server whose every answer takes its time.
ServerOfAnswers::Answer slow(std::chrono::milliseconds time) {
  return [=](const Execution&) {
    std::this_thread::sleep_for(time);
    return ServerOfAnswers::row();
  };
}

/// A workload that holds its worker up for 5 ms in each transaction, with the reply of the other session
/// waiting.
class Sluggish : public integration::Reading {
 public:
  boost::asio::awaitable<workloads::api::KindId> transaction(
      workloads::api::Session& session) const override {
    const auto end = std::chrono::steady_clock::now() + 5ms;
    while (std::chrono::steady_clock::now() < end) {
    }
    return Reading::transaction(session);
  }
};

TEST_CASE("a slow server is not the client's fault") {
  ServerOfAnswers server(slow(20ms));
  EngineRun run({server.port()});
  run.plan.sessions = 4;
  run.plan.transactions = 200;
  const RunResult result = run();
  CHECK(result.self_check.method == "kernel receive stamps");
  CHECK(result.service().percentile(50) >= 20ms);
  // Every reply ends a silence or stands for others: they are all accounted for, but the first few, which
  // the kernel had not begun to stamp.
  CHECK(result.self_check.client_error.count() >= 100);
  CHECK(result.self_check.client_error.percentile(50) < 10ms);
}

TEST_CASE("a client that lets replies wait says so") {
  ServerOfAnswers server;
  EngineRun run({server.port()});
  run.plan.sessions = 4;
  run.plan.transactions = 200;
  run.plan.receive_stamps = 1;
  const RunResult result = run(Sluggish());
  CHECK(result.self_check.method == "kernel receive stamps");
  CHECK(result.self_check.client_error.percentile(50) >= 5ms);
  const auto verdicts = judge(result);
  REQUIRE(!verdicts.empty());
  CHECK(verdicts[0].kind == pgload::stats::VerdictKind::client_bound);
  CHECK(verdicts[0].measured > 0.3);
}

TEST_CASE("without stamps the delay of the loop stands for the client's error") {
  ServerOfAnswers server(slow(5ms));
  EngineRun run({server.port()});
  run.plan.sessions = 2;
  run.plan.transactions.reset();
  run.plan.time = 500ms;
  run.plan.receive_stamps = 0;
  const RunResult result = run();
  CHECK(result.self_check.method == "loop delay");
  CHECK(!result.self_check.client_error.empty());
  CHECK(!result.self_check.workers.at(0).timer_lateness.empty());
}

}  // namespace
