#include "src/stats/latency_histogram.hpp"

#include <cmath>
#include <new>
#include <utility>

namespace pgload::stats {

LatencyHistogram& LatencyHistogram::operator=(const LatencyHistogram& other) {
  if (this != &other) {
    reset();
    merge(other);
  }
  return *this;
}

LatencyHistogram& LatencyHistogram::operator=(LatencyHistogram&& other) noexcept {
  LatencyHistogram taken(std::move(other));
  swap(taken);
  return *this;
}

void LatencyHistogram::merge(const LatencyHistogram& other) {
  if (other.empty()) {
    return;
  }
  if (!counts_) {
    allocate();
  }
  const std::size_t used = other.used();
  for (std::size_t i = 0; i < used; ++i) {
    if (const std::uint64_t n = other.counts_[i]; n != 0) {  // writing a zero would cost a page of memory
      counts_[i] += n;
    }
  }
  count_ += other.count_;
  at_least_ += other.at_least_;
  saturated_ += other.saturated_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
  sum_ += other.sum_;
}

void LatencyHistogram::reset() {
  const std::size_t used_before = used();
  for (std::size_t i = 0; i < used_before; ++i) {
    if (counts_[i] != 0) {
      counts_[i] = 0;
    }
  }
  count_ = at_least_ = saturated_ = 0;
  min_ = std::numeric_limits<std::int64_t>::max();
  max_ = 0;
  sum_ = 0;
}

std::optional<LatencyHistogram::Duration> LatencyHistogram::min() const {
  return count_ > at_least_ ? std::optional(Duration(min_)) : std::nullopt;
}

std::optional<LatencyHistogram::Duration> LatencyHistogram::max() const {
  return count_ > 0 ? std::optional(Duration(max_)) : std::nullopt;
}

std::optional<double> LatencyHistogram::mean_ns() const {
  if (count_ == at_least_) {
    return std::nullopt;
  }
  const auto ended = static_cast<long double>(count_ - at_least_);
  return static_cast<double>(static_cast<long double>(sum_) / ended);
}

std::uint64_t LatencyHistogram::rank(double p) const {
  if (p >= 100 || empty()) {
    return count_;
  }
  // p is text that went through binary: whole billionths of a per cent give back what was written.
  constexpr Sum kWhole = 100'000'000'000;
  const Sum billionths = p > 0 ? static_cast<Sum>(std::llround(p * 1e9)) : 0;
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>((billionths * count_ + kWhole - 1) / kWhole));
}

std::optional<LatencyHistogram::Duration> LatencyHistogram::percentile(double p) const {
  if (empty()) {
    return std::nullopt;
  }
  const std::uint64_t wanted = rank(p);
  if (wanted == count_) {
    return Duration(max_);
  }
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < kCounts; ++i) {
    seen += counts_[i];
    if (seen >= wanted) {
      return Duration(std::min(highest_equivalent(i), max_));
    }
  }
  return Duration(max_);
}

LatencyHistogram::Exact LatencyHistogram::exact() const {
  constexpr Sum kSecond = 1'000'000'000;
  return {at_least_,
          saturated_,
          min_,
          max_,
          static_cast<std::uint64_t>(sum_ / kSecond),
          static_cast<std::uint64_t>(sum_ % kSecond)};
}

std::optional<LatencyHistogram> LatencyHistogram::restored(std::span<const std::uint64_t> counts,
                                                           const Exact& exact) {
  while (!counts.empty() && counts.back() == 0) {
    counts = counts.first(counts.size() - 1);
  }
  if (counts.size() > kCounts || exact.max_ns < 0 || exact.min_ns < 0) {
    return std::nullopt;
  }
  LatencyHistogram histogram;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] != 0) {
      if (!histogram.counts_) {
        histogram.allocate();
      }
      histogram.counts_[i] = counts[i];
      if (__builtin_add_overflow(histogram.count_, counts[i], &histogram.count_)) {
        return std::nullopt;
      }
    }
  }
  histogram.at_least_ = exact.at_least;
  histogram.saturated_ = exact.saturated;
  histogram.min_ = exact.min_ns;
  histogram.max_ = exact.max_ns;
  histogram.sum_ = Sum{exact.sum_s} * 1'000'000'000 + exact.sum_ns;
  const bool max_fits = counts.empty() ? exact.max_ns == 0 : histogram.used() == counts.size();
  const bool min_fits = histogram.count_ == exact.at_least || exact.min_ns <= exact.max_ns;
  const bool parts_fit = exact.at_least <= histogram.count_ && exact.saturated <= histogram.count_;
  return max_fits && min_fits && parts_fit ? std::optional(std::move(histogram)) : std::nullopt;
}

std::int64_t LatencyHistogram::lowest_equivalent(std::size_t index) {
  constexpr std::size_t kHalf = kSubBuckets / 2;
  if (index < kSubBuckets) {
    return static_cast<std::int64_t>(index);
  }
  const std::size_t bucket = index / kHalf - 1;
  return static_cast<std::int64_t>(kHalf + index % kHalf) << bucket;
}

std::int64_t LatencyHistogram::highest_equivalent(std::size_t index) {
  return lowest_equivalent(index + 1) - 1;
}

void LatencyHistogram::allocate() {
  // calloc, because its zero pages become memory only when written to.
  counts_.reset(static_cast<std::uint64_t*>(std::calloc(kCounts, sizeof(std::uint64_t))));
  if (!counts_) {
    throw std::bad_alloc();
  }
}

void LatencyHistogram::swap(LatencyHistogram& other) noexcept {
  std::swap(counts_, other.counts_);
  std::swap(count_, other.count_);
  std::swap(at_least_, other.at_least_);
  std::swap(saturated_, other.saturated_);
  std::swap(min_, other.min_);
  std::swap(max_, other.max_);
  std::swap(sum_, other.sum_);
}

}  // namespace pgload::stats
