#include "src/stats/interval_series.hpp"

#include <doctest/doctest.h>

namespace {

using namespace pgload::stats;
using namespace std::chrono_literals;

IntervalResult second(int number, std::chrono::nanoseconds latency) {
  IntervalResult interval;
  interval.start_s = number;
  interval.completed = 2;
  interval.failed = 1;
  interval.arrivals = 3;
  interval.busy_sessions = static_cast<std::uint32_t>(number);
  LatencyHistogram service, response;
  service.record(latency);
  service.record(1ms);
  response.record(latency + 1s);
  set_latencies(interval, service, response);
  return interval;
}

TEST_CASE("the figures are those of the histograms") {
  IntervalResult interval;
  LatencyHistogram service, response;
  service.record(1000ns);
  service.record(2000ns);
  set_latencies(interval, service, response);
  CHECK(interval.count == 2);
  CHECK(*interval.mean_us == 1.5);
  CHECK(*interval.p50_us == 1.0);
  CHECK(*interval.max_us == 2.0);
  CHECK_FALSE(interval.response_p99_us);
  CHECK(unpack(interval.service)->count() == 2);
  CHECK(interval.response.empty());
  set_latencies(interval, {}, {});
  CHECK(interval.count == 0);
  CHECK_FALSE(interval.mean_us);
}

TEST_CASE("few intervals stay as they are") {
  IntervalSeries series;
  for (int i = 0; i < 100; ++i) series.add(second(i, 2ms));
  const auto intervals = series.take();
  REQUIRE(intervals.size() == 100);
  CHECK(intervals[99].start_s == 99);
  CHECK(intervals[99].length_s == 1);
  CHECK(series.take().empty());
}

TEST_CASE("of many, the old ones become longer, and nothing is lost") {
  IntervalSeries series({.intervals = 20, .newest = 5, .bytes = 1'000'000});
  LatencyHistogram all;
  for (int i = 0; i < 300; ++i) {
    series.add(second(i, i * 1ms));
    all.record(i * 1ms);
    all.record(1ms);
  }
  IntervalResult drain = second(300, 5ms);
  drain.drain = true;
  drain.completed = 0;
  drain.length_s = 0.5;
  series.add(drain);

  auto intervals = series.take();
  REQUIRE(intervals.size() == 20);
  CHECK(intervals.back().drain);
  CHECK(intervals.back().length_s == 0.5);
  intervals.pop_back();
  LatencyHistogram service;
  double end = 0;
  std::uint64_t completed = 0;
  for (const IntervalResult& interval : intervals) {
    CHECK(interval.start_s == end);
    CHECK(interval.busy_sessions == end + interval.length_s - 1);
    end += interval.length_s;
    completed += interval.completed;
    CHECK(interval.arrivals == 3 * interval.length_s);
    const LatencyHistogram part = *unpack(interval.service);
    CHECK(part.count() == interval.count);
    CHECK(*interval.max_us == static_cast<double>(part.max()->count()) / 1e3);
    service.merge(part);
  }
  CHECK(end == 300);
  CHECK(completed == 600);
  CHECK(service.exact() == all.exact());
  CHECK(std::ranges::equal(service.counts(), all.counts()));
  for (std::size_t i = intervals.size() - 4; i < intervals.size(); ++i) CHECK(intervals[i].length_s == 1);
  CHECK(intervals[0].length_s >= 16);
  CHECK(intervals[0].length_s <= 64);  // the rest has about equal steps
}

TEST_CASE("large histograms are joined although there are few") {
  constexpr std::size_t kBytes = 2'000;
  IntervalSeries series({.intervals = 1000, .newest = 2, .bytes = kBytes});
  for (int i = 0; i < 200; ++i) series.add(second(i, i * 1s));
  const auto intervals = series.take();
  std::size_t kept = 0;
  for (const auto& interval : intervals)
    kept += interval.service.counts.size() + interval.response.counts.size();
  CHECK(kept <= kBytes);
  CHECK(intervals.size() > 2);
}

}  // namespace
