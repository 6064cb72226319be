#include "src/stats/verdict.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>

namespace {

using namespace pgload::stats;
using namespace std::chrono_literals;

/// 20,000 transactions of 1 ms, of which the client added 2 us; all is well.
RunResult trusted_run(bool open_loop = false) {
  RunResult run;
  run.percentiles = {50, 99, 99.9};
  run.open_loop = open_loop;
  run.transactions.arrivals = run.transactions.started = run.transactions.completed = 20'000;
  run.transactions.attempts = run.client.round_trips = 20'000;
  KindResult& kind = run.kinds.emplace_back();
  kind.service.record(1ms, 20'000);
  if (open_loop) {
    kind.response.emplace().record(1ms, 20'000);
    run.self_check.dispatch_lag.record(60us, 20'000);
  }
  run.self_check.client_error.record(2us, 20'000);
  run.self_check.workers.resize(2);
  for (WorkerFacts& worker : run.self_check.workers) worker.seconds = 100;
  return run;
}

/// The only verdict.
Verdict verdict_on(const RunResult& run) {
  const std::vector<Verdict> verdicts = judge(run);
  REQUIRE(verdicts.size() == 1);
  return verdicts[0];
}

TEST_CASE("a run with nothing against it is valid") {
  CHECK(judge(trusted_run(false)).empty());
  CHECK(judge(trusted_run(true)).empty());
  CHECK(client_share(trusted_run()).of_mean == doctest::Approx(0.002));
}

TEST_CASE("client-bound by its share of the mean") {
  RunResult run = trusted_run();
  run.kinds[0].service.record(2ms, 1'000);  // a p99 of which the client's is a small part
  run.self_check.client_error.reset();
  run.self_check.client_error.record(60us, 20'000);
  CHECK(verdict_on(run).kind == VerdictKind::client_bound);
  CHECK(verdict_on(run).measured == doctest::Approx(0.0573).epsilon(0.01));
  CHECK(verdict_on(run).limit == 0.05);
}

TEST_CASE("client-bound by its share of the p99 alone") {
  RunResult run = trusted_run();
  run.self_check.client_error.record(60us, 300);
  CHECK(verdict_on(run).figure ==
        "the client's own part is 0.286 % of the mean and 6 % of the p99 service time, limit 5 %");
  CHECK(verdict_on(run).measured == doctest::Approx(0.06).epsilon(0.01));
  run.self_check.method = "loop delay";
  CHECK(verdict_on(run).figure.starts_with("the loop delay is 0.286 % of the mean"));
  run.verdict_limits.client_share = 0.07;
  CHECK(judge(run).empty());
}

TEST_CASE("the client's error counts once in each round trip") {
  RunResult run = trusted_run();
  run.client.round_trips = 40 * run.transactions.attempts;
  CHECK(client_share(run).of_mean == doctest::Approx(0.08));
  CHECK(client_share(run).of_p99 == doctest::Approx(0.08).epsilon(0.01));
  run.client.round_trips =
      run.transactions.attempts / 10;  // a pipeline: each transaction waits for its batch
  CHECK(client_share(run).of_mean == doctest::Approx(0.002));
}

TEST_CASE("client-bound by dispatch lag: the greater of 0.5 ms and 5 % of the response") {
  RunResult run = trusted_run(true);
  run.self_check.dispatch_lag.record(700us, 400);
  CHECK(verdict_on(run).figure == "dispatch lag p99 0.7 ms, limit 0.5 ms");
  run.kinds[0].response->record(20ms, 400);  // 5 % of its p99 is 1 ms
  CHECK(judge(run).empty());
}

TEST_CASE("client-bound by a busy worker") {
  RunResult run = trusted_run();
  run.self_check.workers[0].busy_seconds = 4;
  CHECK(judge(run).empty());
  run.self_check.workers[1].busy_seconds = 41;
  CHECK(verdict_on(run).kind == VerdictKind::client_bound);
  CHECK(verdict_on(run).figure == "worker 2 above 90 % busy in 41 % of the seconds, limit 5 %");
  run.self_check.workers[1].busy_seconds = 5;  // the limit itself
  CHECK(verdict_on(run).measured == 0.05);
}

TEST_CASE("rate-not-reached counts what ended, well or not") {
  RunResult run = trusted_run(true);
  run.transactions.failed = 100;
  run.transactions.completed -= 300;  // 200 were skipped or never started
  CHECK(judge(run).empty());
  run.transactions.completed -= 1;
  CHECK(verdict_on(run).kind == VerdictKind::rate_not_reached);
  CHECK(verdict_on(run).figure == "98.99 % of the scheduled arrivals had ended after the drain, 99 % wanted");
  run.open_loop = false;
  run.kinds[0].response.reset();
  run.self_check.dispatch_lag.reset();
  CHECK(judge(run).empty());
}

TEST_CASE("too-few-samples needs ten beyond the percentile") {
  RunResult run = trusted_run();
  run.kinds[0].service.reset();
  run.kinds[0].service.record(1ms, 10'000);
  CHECK(judge(run).empty());  // 10 beyond p99.9
  run.kinds[0].service.reset();
  run.kinds[0].service.record(1ms, 9'990);
  CHECK(verdict_on(run).kind == VerdictKind::too_few_samples);
  CHECK(verdict_on(run).figure == "fewer than 10 transactions lie beyond p99.9");
  CHECK(verdict_on(run).measured == 9);
  run.verdict_limits.samples_beyond = 9;
  CHECK(judge(run).empty());
  run.verdict_limits.samples_beyond = 100;
  CHECK(verdict_on(run).figure == "fewer than 100 transactions lie beyond p99, p99.9");
}

TEST_CASE("a run without a transaction proves nothing") {
  CHECK(verdict_on(RunResult{}).figure == "no transaction ended");
}

TEST_CASE("the maximum and the latency of nothing are not marked") {
  const VerdictLimits limits;
  LatencyHistogram one;
  CHECK_FALSE(too_few_samples(one, 50, limits));
  one.record(1ms);
  CHECK(too_few_samples(one, 50, limits));
  CHECK_FALSE(too_few_samples(one, 100, limits));
}

TEST_CASE("beside a throwaway server a busy client is a note, the rest stays a verdict") {
  RunResult run = trusted_run();
  run.self_check.workers[1].busy_seconds = 41;
  run.kinds[0].service.reset();
  run.kinds[0].service.record(1ms, 500);
  set_verdicts(run);
  CHECK(run.verdicts.size() == 2);
  CHECK(run.notes.empty());
  run.server.throwaway = true;
  set_verdicts(run);
  REQUIRE(run.verdicts.size() == 1);
  CHECK(run.verdicts[0].kind == VerdictKind::too_few_samples);
  REQUIRE(run.notes.size() == 1);
  CHECK(run.notes[0].ends_with("worker 2 above 90 % busy in 41 % of the seconds, limit 5 %"));
}

}  // namespace
