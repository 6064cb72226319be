#include "src/stats/merge_results.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "src/stats/interval_series.hpp"
#include "src/stats/wall_clock.hpp"

namespace {

using namespace pgload::stats;
using namespace std::chrono_literals;

constexpr int kSeconds = 10;
constexpr WallTime kStart{1'738'324'800s};

void add(RunResult& run, int second, std::chrono::nanoseconds latency,
         std::vector<LatencyHistogram>& seconds) {
  ++run.transactions.arrivals;
  ++run.transactions.started;
  ++run.transactions.attempts;
  ++run.transactions.completed;
  ++run.transactions.completed_in_window;
  ++run.kinds[0].completed;
  ++run.hosts[0].completed;
  ++run.statements[0].good;
  run.kinds[0].service.record(latency);
  run.hosts[0].service.record(latency);
  run.statements[0].latency->record(latency);
  ++run.intervals[static_cast<std::size_t>(second)].completed;
  seconds[static_cast<std::size_t>(second)].record(latency);
}

RunResult empty_run(std::uint32_t index) {
  RunResult run;
  run.workload = "point_select";
  run.workload_options = {{"tables", "4"}};
  run.started_at = utc_text(kStart);
  run.duration_s = kSeconds;
  run.client_index = index;
  run.client_count = 4;
  run.sessions_open = run.sessions_requested = 16;
  run.kinds.resize(1);
  run.kinds[0].name = "select";
  run.hosts.resize(1);
  run.hosts[0].name = "db1";
  run.statements.resize(1);
  run.statements[0].name = "select";
  run.statements[0].latency.emplace();
  run.intervals.resize(kSeconds);
  for (int i = 0; i < kSeconds; ++i) run.intervals[static_cast<std::size_t>(i)].start_s = i;
  return run;
}

void set_intervals(RunResult& run, const std::vector<LatencyHistogram>& seconds) {
  for (std::size_t i = 0; i < seconds.size(); ++i) set_latencies(run.intervals[i], seconds[i], {});
}

/// The same transactions in four parts, and in one.
struct Sample {
  std::vector<NamedResult> parts;
  RunResult whole = empty_run(1);

  Sample() {
    std::mt19937_64 random(4);
    std::vector<LatencyHistogram> whole_seconds(kSeconds);
    for (std::uint32_t client = 1; client <= 4; ++client) {
      RunResult run = empty_run(client);
      std::vector<LatencyHistogram> seconds(kSeconds);
      for (int i = 0; i < 2000; ++i) {
        const int second = static_cast<int>(random() % kSeconds);
        const std::chrono::nanoseconds latency(random() >> (22 + random() % 30));
        add(run, second, latency, seconds);
        add(whole, second, latency, whole_seconds);
      }
      set_intervals(run, seconds);
      parts.push_back({std::string(1, static_cast<char>('a' + client - 1)) + ".json", run});
    }
    set_intervals(whole, whole_seconds);
  }
};

bool same(const LatencyHistogram& a, const LatencyHistogram& b) {
  return a.exact() == b.exact() && std::ranges::equal(a.counts(), b.counts());
}

std::string refusal(const std::vector<NamedResult>& parts) {
  try {
    merge_results(parts);
  } catch (const MergeError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("four parts merge to the whole, bucket for bucket") {
  const Sample sample;
  const RunResult merged = merge_results(sample.parts);
  CHECK(merged.check().empty());
  CHECK(merged.transactions.completed == 8000);
  CHECK(merged.sessions_open == 64);
  CHECK(merged.transactions_per_second() == sample.whole.transactions_per_second());
  CHECK(same(merged.kinds[0].service, sample.whole.kinds[0].service));
  CHECK(same(merged.hosts[0].service, sample.whole.hosts[0].service));
  CHECK(same(*merged.statements[0].latency, *sample.whole.statements[0].latency));
  REQUIRE(merged.intervals.size() == kSeconds);
  for (std::size_t i = 0; i < kSeconds; ++i) {
    CHECK(merged.intervals[i].completed == sample.whole.intervals[i].completed);
    CHECK(merged.intervals[i].service == sample.whole.intervals[i].service);
    CHECK(merged.intervals[i].p99_us == sample.whole.intervals[i].p99_us);
  }
  REQUIRE(merged.clients.size() == 4);
  CHECK(merged.clients[2].name == "c.json");
  CHECK(same(merged.clients[2].service, sample.parts[2].result.service()));
  CHECK(merged.client_index == 0);
  CHECK(merged.notes.empty());
}

TEST_CASE("merging in steps is merging at once") {
  const Sample sample;
  const auto& parts = sample.parts;
  const RunResult left = merge_results({parts[0], parts[1]}), right = merge_results({parts[2], parts[3]});
  const RunResult merged = merge_results({{"left", left}, {"right", right}});
  CHECK(same(merged.service(), sample.whole.service()));
  CHECK(merged.clients.size() == 4);
  CHECK(left.notes == std::vector<std::string>{"2 of 4 clients are in this result"});
}

TEST_CASE("the window reaches from the earliest start to the latest end") {
  Sample sample;
  sample.parts[3].result.started_at = utc_text(kStart + 2'100ms);
  sample.parts[3].result.errors.resize(1);
  sample.parts[3].result.errors[0].first_s = 1;
  const RunResult merged = merge_results(sample.parts);
  CHECK(merged.check().empty());
  CHECK(merged.started_at == utc_text(kStart));
  CHECK(merged.duration_s == doctest::Approx(12.1));
  CHECK(merged.clients[3].start_s == doctest::Approx(2.1));
  CHECK(merged.errors[0].first_s == doctest::Approx(3.1));
  CHECK(merged.intervals.size() == kSeconds + 2);
  CHECK(std::ranges::find(merged.notes, "all clients ran together for 7900 ms of the 12100 ms") !=
        merged.notes.end());
  LatencyHistogram sum;
  for (const IntervalResult& interval : merged.intervals) sum.merge(*unpack(interval.service));
  CHECK(same(sum, merged.service()));
}

TEST_CASE("intervals of other lengths are added where they belong, and their sums are exact") {
  Sample sample;
  RunResult& coarse = sample.parts[1].result;
  IntervalSeries series({.intervals = 5, .newest = 0, .bytes = 1'000'000});
  for (const IntervalResult& interval : coarse.intervals) series.add(interval);
  coarse.intervals = series.take();
  const RunResult merged = merge_results(sample.parts);
  CHECK(merged.check().empty());
  CHECK(merged.intervals.size() == coarse.intervals.size());
  CHECK(merged.intervals[0].length_s == coarse.intervals[0].length_s);
  CHECK(merged.intervals[0].completed ==
        sample.whole.intervals[0].completed + sample.whole.intervals[1].completed);
}

TEST_CASE("the worst outcome and every verdict stay, named by the client") {
  Sample sample;
  sample.parts[1].result.status = RunStatus::failed;
  sample.parts[1].result.reason = "1 of 2 transactions failed";
  sample.parts[2].result.verdicts = {{VerdictKind::client_bound, "worker 1 busy", 0.9, 0.05},
                                     {VerdictKind::too_few_samples, "p99.9", 2, 10}};
  const RunResult merged = merge_results(sample.parts);
  CHECK(merged.status == RunStatus::failed);
  CHECK(merged.reason == "b.json: 1 of 2 transactions failed");
  REQUIRE(merged.verdicts.size() == 1);  // together they have samples enough
  CHECK(merged.verdicts[0].figure == "c.json: worker 1 busy");
}

TEST_CASE("hosts and errors of several clients are rows by name") {
  Sample sample;
  ErrorResult error;
  error.sqlstate = "40001";
  error.count = 2;
  error.first_s = 5;
  error.message = "later";
  sample.parts[0].result.errors = {error};
  error.first_s = 1;
  error.message = "first";
  sample.parts[1].result.errors = {error};
  sample.parts[2].result.hosts[0].name = "db2";
  const RunResult merged = merge_results(sample.parts);
  CHECK(merged.check().empty());
  CHECK(merged.hosts.size() == 2);
  REQUIRE(merged.errors.size() == 1);
  CHECK(merged.errors[0].count == 4);
  CHECK(merged.errors[0].message == "first");
}

TEST_CASE("results that do not belong together are refused, and the difference is named") {
  const Sample sample;
  const auto changed = [&](const auto& change) {
    std::vector<NamedResult> parts = sample.parts;
    change(parts[1].result);
    return refusal(parts);
  };
  CHECK(changed([](RunResult& run) { run.workload = "other"; }) ==
        "cannot merge a.json and b.json: the workload differs (point_select, other)");
  CHECK(changed([](RunResult& run) { run.workload_options = {{"tables", "8"}}; }) ==
        "cannot merge a.json and b.json: --tables differs (4, 8)");
  CHECK(changed([](RunResult& run) { run.workload_options.clear(); }) ==
        "cannot merge a.json and b.json: --tables differs (4, none)");
  CHECK(changed([](RunResult& run) { run.load.rate = "5000"; }).ends_with("--rate differs (none, 5000)"));
  CHECK(changed([](RunResult& run) { run.client_index = 1; }) ==
        "cannot merge a.json and b.json: both are client 1 of 4");
  CHECK(changed([&](RunResult& run) { run = sample.parts[0].result; }) ==
        "cannot merge a.json and b.json: they hold the same run");
  CHECK(changed([](RunResult& run) { run.started_at = "yesterday"; }) ==
        "cannot merge b.json: it does not say when it started");
  CHECK(changed([](RunResult& run) {
          ++run.transactions.failed;
        }).starts_with("cannot merge b.json: its counts do not add up: "));
  CHECK(changed([](RunResult& run) { run.started_at = utc_text(kStart + 11s); }) ==
        "cannot merge a.json and b.json: their windows do not overlap (one ended at "
        "2025-01-31T12:00:10.000000Z, the other started at 2025-01-31T12:00:11.000000Z)");
  CHECK(refusal({sample.parts[0]}) == "to merge, two results or more are needed");
}

}  // namespace
