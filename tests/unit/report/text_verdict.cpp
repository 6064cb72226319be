#include "src/report/text_verdict.hpp"

#include <doctest/doctest.h>

#include "tests/unit/report/sample_run.hpp"

namespace {

using namespace pgload::report;
using namespace pgload::stats;
using namespace std::chrono_literals;

/// An open loop that nothing speaks against.
RunResult open_loop() {
  RunResult run = sample::point_select();
  run.open_loop = true;
  run.kinds[0].response = run.kinds[0].service;
  run.self_check.dispatch_lag.record(60us, 1000);
  run.self_check.all_busy_ratio = 0.042;
  return run;
}

TEST_CASE("a valid run says what speaks for it") {
  CHECK(
      verdict_lines(open_loop()) ==
      "verdict     valid: rate reached, client adds 1.0 % to latency, lag p99 0.06 ms; all sessions busy 4.2 "
      "% of the time\n");
  CHECK(verdict_lines(sample::point_select()) == "verdict     valid: client adds 1.0 % to latency\n");
  CHECK(verdict_lines(RunResult{}) == "verdict     valid\n");
}

TEST_CASE("every verdict has its line, and what speaks for the run does not repeat it") {
  RunResult run = open_loop();
  run.verdicts = {{VerdictKind::client_bound, "worker 2 is busy", 0.4, 0.05},
                  {VerdictKind::rate_not_reached, "81 % of it", 0.81, 0.99}};
  CHECK(verdict_lines(run) ==
        "verdict     client-bound: worker 2 is busy\n"
        "            rate-not-reached: 81 % of it\n"
        "            all sessions busy 4.2 % of the time\n");
}

TEST_CASE("too few samples alone are one calm line") {
  RunResult run = sample::point_select();
  run.verdicts = {{VerdictKind::too_few_samples, "fewer than 10 transactions lie beyond p99.9", 1, 10}};
  CHECK(verdict_lines(run) ==
        "verdict     too-few-samples: fewer than 10 transactions lie beyond p99.9 (marked ~); client adds "
        "1.0 % "
        "to latency\n");
}

TEST_CASE("where no latency is, none is marked") {
  RunResult run;
  run.verdicts = {{VerdictKind::too_few_samples, "no transaction ended", 0, 10}};
  CHECK(verdict_lines(run) == "verdict     too-few-samples: no transaction ended\n");
}

TEST_CASE("what the client added and lacked") {
  CHECK(self_check_line(sample::point_select()) ==
        "            adds 0.0112 ms, p99 0.0400, max 0.0400 (kernel receive stamps); waited 0.5 % for a CPU; "
        "timers late p99 1.20 ms; steal 0.4 %\n");
  RunResult by_loop_delay = sample::point_select();
  by_loop_delay.self_check.method = "loop delay";
  CHECK(self_check_line(by_loop_delay)
            .starts_with("            loop delay 0.0112 ms, p99 0.0400, max 0.0400; waited "));
  CHECK(verdict_lines(by_loop_delay) == "verdict     valid: loop delay 1.0 % of latency\n");
  CHECK(self_check_line(RunResult{}).empty());
}

TEST_CASE("a percentile with too few samples beyond it is marked, and the mark explained") {
  LatencyHistogram latency;
  latency.record(2ms, 1000);
  const VerdictLimits limits;
  CHECK(marked_percentile(latency, 99, limits) == "2.00");
  CHECK(marked_percentile(latency, 99.9, limits) == "~2.00");
  CHECK(marked_percentile(LatencyHistogram{}, 50, limits) == "-");
  CHECK(mark_line("service  2.00  ~2.00", limits) == "            ~ fewer than 10 values lie beyond it\n");
  CHECK(mark_line("service  2.00  2.00", limits).empty());
}

}  // namespace
