// Connect, warm-up, window, drain: hosts that are down, servers that are full, and signals in each phase.

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>

#include "tests/integration/engine_run.hpp"

namespace {

using namespace std::chrono_literals;
using namespace support::backend;
using integration::EngineRun;
using integration::ServerOfAnswers;
using pgload::engine::Interrupted;
using pgload::engine::SetupError;
using pgload::stats::RunResult;
using pgload::stats::RunStatus;
using Execution = ServerOfAnswers::Execution;

/// A port of loopback that nobody listens at.
std::uint16_t closed_port() {
  ServerOfAnswers server;
  const std::uint16_t port = server.port();
  server.finish();
  return port;
}

std::string setup_error(EngineRun& run) {
  try {
    run();
  } catch (const SetupError& error) {
    return error.what();
  }
  return "no error";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_CASE("every host gets the same number of sessions") {
  ServerOfAnswers one, two, three;
  EngineRun run({one.port(), two.port(), three.port()});
  run.plan.sessions = 8;
  run.plan.io_threads = 3;
  run.plan.transactions = 100;
  const RunResult result = run();
  CHECK(result.sessions_open == 8);
  CHECK(result.hosts[0].sessions == 3);
  CHECK(result.hosts[1].sessions == 3);
  CHECK(result.hosts[2].sessions == 2);
  CHECK(result.hosts[0].completed + result.hosts[1].completed + result.hosts[2].completed == 100);
}

TEST_CASE("a host that is down at the start is named, or loses its sessions to the others") {
  ServerOfAnswers up, other;
  const std::uint16_t down = closed_port();
  EngineRun run({up.port(), down, other.port()});
  run.plan.sessions = 7;
  run.plan.io_threads = 2;
  CHECK(has(setup_error(run), "127.0.0.1:" + std::to_string(down)));

  run.plan.min_sessions = 5;
  const RunResult result = run();
  CHECK(result.sessions_open == 7);
  CHECK(result.hosts[0].sessions + result.hosts[2].sessions == 7);
  CHECK(result.hosts[1].sessions == 0);
  REQUIRE(result.notes.size() == 1);
  CHECK(has(result.notes[0], std::to_string(down) + " was down at the start"));
}

TEST_CASE("no host left to go to") {
  EngineRun run({closed_port(), closed_port()});
  run.plan.sessions = 4;
  run.plan.min_sessions = 1;
  CHECK(has(setup_error(run), "refused"));
}

TEST_CASE("a server with too few slots: how many there were, and what to do") {
  ServerOfAnswers server([](const Execution&) { return ServerOfAnswers::row(); },
                         [](support::FakeSession& session, int login) {
                           if (login < 3) return ServerOfAnswers::welcome(session, login);
                           session.send(error("53300", "sorry, too many clients already", "FATAL"));
                           throw std::runtime_error("full");
                         });
  EngineRun run({server.port()});
  run.plan.sessions = 5;
  const std::string words = setup_error(run);
  CHECK(has(words, "of 5 sessions could be opened"));
  CHECK(has(words, "too many clients"));
  CHECK(has(words, "--min-sessions"));
}

TEST_CASE("enough sessions are enough, with a note") {
  ServerOfAnswers server([](const Execution&) { return ServerOfAnswers::row(); },
                         [](support::FakeSession& session, int login) {
                           if (login < 3) return ServerOfAnswers::welcome(session, login);
                           session.send(error("53300", "sorry, too many clients already", "FATAL"));
                           throw std::runtime_error("full");
                         });
  EngineRun run({server.port()});
  run.plan.sessions = 5;
  run.plan.min_sessions = 3;
  const RunResult result = run();
  CHECK(result.sessions_open == 3);
  REQUIRE(result.notes.size() == 1);
  CHECK(has(result.notes[0], "3 of 5 sessions are open"));
}

constexpr int kSigint = 2;

TEST_CASE("a stop while connecting ends a login that hangs") {
  ServerOfAnswers server([](const Execution&) { return ServerOfAnswers::row(); },
                         [](support::FakeSession& session, int) { session.hold(); });
  EngineRun run({server.port()});
  run.info.connect_timeout = 0ms;
  run.plan.sessions = 20;
  run.observer.stop_signal = [&] { return server.logins() > 0 ? kSigint : 0; };
  CHECK_THROWS_AS(run(), Interrupted);
}

TEST_CASE("a stop in the warm-up ends the run at once, with an empty window") {
  std::atomic<bool> running = false;
  ServerOfAnswers server([&](const Execution&) {
    running = true;
    return ServerOfAnswers::row();
  });
  EngineRun run({server.port()});
  run.plan.transactions.reset();
  run.plan.warmup = 1h;
  run.plan.time = 1h;
  run.observer.stop_signal = [&] { return running ? kSigint : 0; };
  const RunResult result = run();
  CHECK(result.status == RunStatus::stopped);
  CHECK(result.duration_s == 0);
  CHECK(result.drain_s == 0);
  CHECK(result.transactions.arrivals == 0);
}

TEST_CASE("a stop in the window drains briefly and keeps what was measured") {
  std::atomic<bool> hanging = false, answering = false;
  ServerOfAnswers server([&](const Execution& execution) {
    if (execution.login == 1) {
      hanging = true;
      execution.session.hold();
    }
    answering = answering || execution.number > 0;
    return ServerOfAnswers::row();
  });
  EngineRun run({server.port()});
  run.plan.transactions.reset();
  run.plan.time = 1h;
  run.plan.drain = 1h;
  run.plan.sessions = 2;
  run.observer.stop_signal = [&] { return hanging && answering ? kSigint : 0; };
  const RunResult result = run();
  CHECK(result.status == RunStatus::stopped);
  CHECK(result.transactions.completed > 0);
  CHECK(result.transactions.unfinished == 1);
  CHECK(result.drain_s < 30);
}

TEST_CASE("a stop in the drain cuts it short") {
  using Clock = std::chrono::steady_clock;
  std::atomic<Clock::time_point> hanging_since = Clock::time_point::max();
  ServerOfAnswers server([&](const Execution& execution) {
    hanging_since = Clock::now();
    execution.session.hold();
    return std::string();
  });
  EngineRun run({server.port()});
  run.plan.transactions.reset();
  run.plan.time = 1s;
  run.plan.drain = 1h;
  run.observer.stop_signal = [&] {
    return Clock::now() > hanging_since.load() && Clock::now() - hanging_since.load() > 1s ? kSigint : 0;
  };
  const RunResult result = run();
  CHECK(result.status == RunStatus::stopped);
  CHECK(result.transactions.unfinished == 1);
  CHECK(result.duration_s == doctest::Approx(1));
}

TEST_CASE("durations beyond any clock are only long") {
  ServerOfAnswers server;
  EngineRun run({server.port()});
  const auto long_time = std::chrono::hours(24 * 365 * 50);
  run.plan.time = long_time;
  run.plan.drain = long_time;
  run.plan.statement_timeout = long_time;
  const RunResult result = run();
  CHECK(result.transactions.completed == 10);
}

TEST_CASE("a warm-up counts nowhere but in what it left to the window") {
  ServerOfAnswers server;
  EngineRun run({server.port()});
  run.plan.warmup = 200ms;
  run.plan.transactions.reset();
  run.plan.time = 200ms;
  const RunResult result = run();
  CHECK(result.duration_s == doctest::Approx(0.2));
  CHECK(result.transactions.completed > 0);
  CHECK(result.transactions.completed_from_warmup <= 1);
  CHECK(std::ranges::none_of(result.intervals, [](const auto& interval) { return interval.start_s < 0; }));
}

}  // namespace
