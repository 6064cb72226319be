#include "src/stats/interval_series.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace pgload::stats {
namespace {

std::optional<double> microseconds(std::optional<LatencyHistogram::Duration> latency) {
  return latency ? std::optional(static_cast<double>(latency->count()) / 1e3) : std::nullopt;
}

std::size_t bytes_of(const IntervalResult& interval) {
  return interval.service.counts.size() + interval.response.counts.size();
}

LatencyHistogram merged(const PackedHistogram& one, const PackedHistogram& other) {
  LatencyHistogram sum = unpack(one).value_or(LatencyHistogram());
  sum.merge(unpack(other).value_or(LatencyHistogram()));
  return sum;
}

}  // namespace

void set_latencies(IntervalResult& interval, const LatencyHistogram& service,
                   const LatencyHistogram& response) {
  interval.count = service.count();
  const auto mean_ns = service.mean_ns();
  interval.mean_us = mean_ns ? std::optional(*mean_ns / 1e3) : std::nullopt;
  interval.p50_us = microseconds(service.percentile(50));
  interval.p95_us = microseconds(service.percentile(95));
  interval.p99_us = microseconds(service.percentile(99));
  interval.max_us = microseconds(service.max());
  interval.response_p50_us = microseconds(response.percentile(50));
  interval.response_p95_us = microseconds(response.percentile(95));
  interval.response_p99_us = microseconds(response.percentile(99));
  interval.response_max_us = microseconds(response.max());
  interval.service = pack(service);
  interval.response = pack(response);
}

void add_counts(IntervalResult& interval, const IntervalResult& other) {
  interval.completed += other.completed;
  interval.failed += other.failed;
  interval.arrivals += other.arrivals;
  interval.skipped += other.skipped;
  set_latencies(interval, merged(interval.service, other.service), merged(interval.response, other.response));
}

void IntervalSeries::add(IntervalResult interval) {
  bytes_ += bytes_of(interval);
  intervals_.push_back(std::move(interval));
  while (intervals_.size() > 2 && (intervals_.size() > limits_.intervals || bytes_ > limits_.bytes)) {
    join(pair_to_join());
  }
}

std::size_t IntervalSeries::pair_to_join() const {
  // The last one may be the drain, which stays alone.
  const std::size_t pairs = intervals_.size() - 2;
  const std::size_t old_pairs = pairs > limits_.newest ? pairs - limits_.newest : pairs;
  std::size_t best = 0;
  for (std::size_t i = 1; i < old_pairs; ++i) {
    const auto length = [&](std::size_t at) { return intervals_[at].length_s + intervals_[at + 1].length_s; };
    if (length(i) < length(best)) best = i;
  }
  return best;
}

void IntervalSeries::join(std::size_t first) {
  IntervalResult& one = intervals_[first];
  const IntervalResult& other = intervals_[first + 1];
  bytes_ -= bytes_of(one) + bytes_of(other);
  add_counts(one, other);
  one.length_s += other.length_s;
  one.busy_sessions = other.busy_sessions;
  one.queued = other.queued;
  bytes_ += bytes_of(one);
  intervals_.erase(intervals_.begin() + static_cast<std::ptrdiff_t>(first) + 1);
}

std::vector<IntervalResult> IntervalSeries::take() {
  bytes_ = 0;
  return std::exchange(intervals_, {});
}

}  // namespace pgload::stats
