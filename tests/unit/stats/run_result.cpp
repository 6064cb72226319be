#include "src/stats/run_result.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <functional>

namespace {

using namespace pgload::stats;
using namespace std::chrono_literals;

/// Two kinds, two hosts, one unfinished transaction, one retry: everything adds up.
RunResult consistent_run() {
  RunResult run;
  run.duration_s = 2;
  run.queries = 7;
  run.control_queries = 2;
  run.transactions = {.arrivals = 6,
                      .started = 6,
                      .completed = 4,
                      .completed_in_drain = 1,
                      .completed_in_window = 3,
                      .failed = 1,
                      .unfinished = 1,
                      .attempts = 7,
                      .retries = 1};
  run.kinds.resize(2);
  run.kinds[0].completed = 3;
  run.kinds[0].retries = 1;
  run.kinds[1].completed = 1;
  run.kinds[1].failed = 1;
  for (int i = 0; i < 3; ++i) {
    run.kinds[0].service.record(1ms);
  }
  run.kinds[1].service.record(9ms);
  run.kinds[1].service.record_at_least(20ms);
  run.hosts.resize(2);
  run.hosts[0].completed = 4;
  run.hosts[1].failed = 1;
  run.statements.resize(2);
  run.statements[0].name = "point_select";
  run.statements[0].good = 1;
  run.statements[0].latency.emplace().record(1ms);
  run.intervals = {{.start_s = 0, .completed = 2},
                   {.start_s = 1, .completed = 1, .failed = 1},
                   {.start_s = 2, .length_s = 0.1, .drain = true, .completed = 1}};
  return run;
}

TEST_CASE("the identities hold for a consistent run") { CHECK(consistent_run().check().empty()); }

TEST_CASE("each broken identity is named") {
  const std::vector<std::pair<const char*, std::function<void(RunResult&)>>> faults = {
      {"arrivals (7) is not started + skipped + queued (6)", [](RunResult& r) { ++r.transactions.arrivals; }},
      {"attempts (8) is not started + retries (7)", [](RunResult& r) { ++r.transactions.attempts; }},
      {"completed of all kinds (5) is not completed (4)", [](RunResult& r) { ++r.kinds[0].completed; }},
      {"failed of all kinds (2) is not failed (1)", [](RunResult& r) { ++r.kinds[0].failed; }},
      {"retries of all kinds (0) is not retries (1)", [](RunResult& r) { r.kinds[0].retries = 0; }},
      {"completed on all hosts (5) is not completed (4)", [](RunResult& r) { ++r.hosts[1].completed; }},
      {"failed on all hosts (0) is not failed (1)", [](RunResult& r) { r.hosts[1].failed = 0; }},
      {"completed in all intervals (3) is not completed in the window + while draining (4)",
       [](RunResult& r) { r.intervals.pop_back(); }},
      {"completed service times (5) is not completed (4)",
       [](RunResult& r) { r.kinds[0].service.record(1ms); }},
      {"service times marked as \"at least\" (2) is not unfinished (1)",
       [](RunResult& r) { r.kinds[0].service.record_at_least(1ms); }},
      {"latencies of point_select (1) is not its good executions (2)",
       [](RunResult& r) { r.statements[0].good = 2; }},
  };
  for (const auto& [sentence, break_it] : faults) {
    RunResult run = consistent_run();
    break_it(run);
    CHECK(run.check() == std::vector<std::string>{sentence});
  }
}

TEST_CASE("started must be completed + failed + unfinished") {
  RunResult run = consistent_run();
  ++run.transactions.started;
  ++run.transactions.arrivals;
  ++run.transactions.attempts;
  CHECK(run.check() == std::vector<std::string>{"started (7) is not completed + failed + unfinished (6)"});
}

TEST_CASE("what is queued at the end has a response time but no service time") {
  RunResult run = consistent_run();
  run.open_loop = true;
  run.transactions.arrivals += 3;
  run.transactions.queued = 2;
  run.transactions.skipped = 1;
  for (KindResult& kind : run.kinds) {
    kind.response = kind.service;
  }
  CHECK(run.check() ==
        std::vector<std::string>{"response times marked as \"at least\" (1) is not unfinished + queued (3)"});
  run.kinds[0].response->record_at_least(1ms);
  run.kinds[0].response->record_at_least(2ms);
  CHECK(run.check().empty());
  CHECK(run.response()->count() == 7);
  CHECK(run.service().count() == 5);
}

TEST_CASE("rates are per second of the window; an empty window has none") {
  RunResult run = consistent_run();
  CHECK(run.transactions_per_second() == 1.5);
  CHECK(run.queries_per_second() == 3.5);
  CHECK(run.control_queries_per_second() == 1);
  run.duration_s = 0;
  CHECK(run.transactions_per_second() == 0);
  CHECK(run.queries_per_second() == 0);
}

TEST_CASE("a closed loop has no response time") { CHECK_FALSE(consistent_run().response()); }

TEST_CASE("names of classes and states are those of the report") {
  CHECK(std::string(to_string(ErrorClass::lost)) == "lost");
  CHECK(std::string(to_string(ErrorClass::protocol)) == "protocol");
  CHECK(std::string(to_string(RunStatus::good)) == "good");
  CHECK(std::string(to_string(RunStatus::stopped)) == "stopped");
}

}  // namespace
