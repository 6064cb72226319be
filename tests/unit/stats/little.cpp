#include "src/stats/little.hpp"

#include <doctest/doctest.h>

namespace {

using namespace pgload::stats;

RunResult busy(double counted, double computed) {
  RunResult run;
  run.sessions_open = 64;
  run.transactions.completed = 64 * 20;
  run.self_check.mean_busy_sessions = counted;
  run.self_check.little_busy_sessions = computed;
  return run;
}

TEST_CASE("busy sessions counted and computed agree") {
  CHECK_FALSE(little_disagreement(busy(64, 63.8)));
  CHECK_FALSE(little_disagreement(busy(64, 52)));
  CHECK_FALSE(little_disagreement(busy(0.2, 1.1)));  // a fraction of a session is the sampling's
}

TEST_CASE("busy sessions that are not in the latencies are told") {
  CHECK(little_disagreement(busy(64, 32)) ==
        "64.0 sessions were busy, but throughput x mean latency is 32.0: do not trust the latencies");
  CHECK(little_disagreement(busy(0.1, 1.5)));
}

TEST_CASE("what cannot be compared is not") {
  RunResult pipelined = busy(8, 80), failing = busy(64, 32), unfinished = busy(64, 32), brief = busy(64, 32);
  pipelined.pipeline = 10;
  failing.transactions.failed = 1;
  unfinished.transactions.unfinished = 1;
  brief.transactions.completed = 64 * 20 - 1;
  for (const RunResult& run : {pipelined, failing, unfinished, brief}) CHECK_FALSE(little_disagreement(run));
}

}  // namespace
