#pragma once

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <span>

namespace pgload::stats {

/// Counts of latencies, bucket-compatible with HdrHistogram: unit 1 ns, 3 significant digits, range 1 ns to
/// at least 1 h. One array, allocated at the first value and kept; recording is a shift and an add, and never
/// fails: values above the range are counted in the last bucket and in `saturated`, negative ones as 0.
///
/// The array has fixed size but untouched pages of it cost no memory, so a histogram that never sees a value
/// is free and one that sees 10 µs .. 10 ms costs some 80 KB.
///
/// Source of the bucket arithmetic: Gil Tene's HdrHistogram. Bucket b holds values below 2048 << b in steps
/// of 1 << b; of every bucket but the first only the upper half is stored, the lower belongs to the buckets
/// before.
class LatencyHistogram {
 public:
  using Duration = std::chrono::nanoseconds;

  static constexpr int kSignificantDigits = 3;
  static constexpr std::int64_t kHighestTrackable = 3'600'000'000'000;  ///< 1 h in ns

  LatencyHistogram() = default;
  LatencyHistogram(const LatencyHistogram& other) { merge(other); }
  LatencyHistogram& operator=(const LatencyHistogram& other);
  LatencyHistogram(LatencyHistogram&& other) noexcept { swap(other); }
  LatencyHistogram& operator=(LatencyHistogram&& other) noexcept;

  void record(Duration value, std::uint64_t times = 1) {
    const std::int64_t ns = std::max<std::int64_t>(value.count(), 0);
    count_value(ns, times);
    min_ = std::min(min_, ns);
    sum_ += Sum{static_cast<std::uint64_t>(ns)} * times;
  }
  /// A transaction that had not ended after `age`: counts in the percentiles and the maximum as at least this
  /// old, not in the mean and the minimum.
  void record_at_least(Duration age, std::uint64_t times = 1) {
    count_value(std::max<std::int64_t>(age.count(), 0), times);
    at_least_ += times;
  }
  /// Exact: bucket by bucket.
  void merge(const LatencyHistogram& other);
  /// Forgets the values, keeps the memory.
  void reset();

  std::uint64_t count() const { return count_; }  ///< all values, "at least" ones included
  std::uint64_t at_least_count() const { return at_least_; }
  std::uint64_t saturated() const { return saturated_; }
  bool empty() const { return count_ == 0; }

  /// nullopt when there is nothing to say.
  std::optional<Duration> min() const;                           ///< exact, of ended ones
  std::optional<Duration> max() const;                           ///< exact
  std::optional<double> mean_ns() const;                         ///< exact sum / number of ended ones
  double total_ns() const { return static_cast<double>(sum_); }  ///< of ended ones

  /// Percentile p in [0, 100]: the ceil(p/100 x count)-th value (the first for p = 0), as the highest
  /// equivalent value of its bucket, clamped to the exact maximum; the last value is the exact maximum.
  /// nullopt if empty. p counts with nine decimals: so 99.9, which is not exact in binary, means the 999th of
  /// 1000 and not the 1000th.
  std::optional<Duration> percentile(double p) const;
  /// How many values lie beyond the one that `percentile(p)` shows: with few of them it is a matter of luck.
  std::uint64_t samples_beyond(double p) const { return count_ - rank(p); }

  /// What a value's bucket does not say: kept beside the counts wherever a histogram is stored.
  struct Exact {
    std::uint64_t at_least = 0, saturated = 0;
    std::int64_t min_ns = std::numeric_limits<std::int64_t>::max();  ///< of ended ones
    std::int64_t max_ns = 0;
    std::uint64_t sum_s = 0, sum_ns = 0;  ///< of ended ones: whole seconds, and the rest

    bool operator==(const Exact&) const = default;
  };
  Exact exact() const;
  /// The histogram that was stored as these counts; `counts` may end after its last count. nullopt: counts
  /// and exact values contradict each other.
  static std::optional<LatencyHistogram> restored(std::span<const std::uint64_t> counts, const Exact& exact);

  /// The same in µs, as reports show them.
  std::optional<double> percentile_us(double p) const { return microseconds(percentile(p)); }
  std::optional<double> max_us() const { return microseconds(max()); }

  /// The raw counts for exporters, index as in HdrHistogram's counts array; empty before the first value.
  std::span<const std::uint64_t> counts() const { return {counts_.get(), counts_ ? kCounts : 0}; }
  /// Lowest and highest value that index `index` of `counts()` stands for.
  static std::int64_t lowest_equivalent(std::size_t index);
  static std::int64_t highest_equivalent(std::size_t index);
  /// The index that counts `ns`, 0 <= ns <= kHighestCounted.
  static constexpr std::size_t index_of(std::int64_t ns) {
    const auto bits = static_cast<std::uint64_t>(ns);
    const int bucket = std::bit_width(bits | (kSubBuckets - 1)) - kSubBucketBits;
    return (static_cast<std::size_t>(bucket) << (kSubBucketBits - 1)) + (bits >> bucket);
  }

 private:
  static constexpr int kSubBucketBits = 11;  ///< the least power of two that holds 2 x 10^3 steps
  static constexpr std::uint64_t kSubBuckets = 1U << kSubBucketBits;
  static constexpr int kBuckets = std::bit_width(std::uint64_t{kHighestTrackable}) - kSubBucketBits + 1;
  static constexpr std::size_t kCounts = (kBuckets + 1) * (kSubBuckets / 2);

 public:
  static constexpr std::size_t kMostCounts = kCounts;  ///< of any histogram

  /// The highest value with a bucket of its own; above it, `saturated` counts.
  static constexpr std::int64_t kHighestCounted = (std::int64_t{kSubBuckets} << (kBuckets - 1)) - 1;
  static_assert(kHighestCounted >= kHighestTrackable);

 private:
  struct Free {
    void operator()(std::uint64_t* counts) const { std::free(counts); }
  };
  __extension__ using Sum = unsigned __int128;  // 2^64 values of 2^63 ns: cannot overflow, always exact

  void count_value(std::int64_t ns, std::uint64_t times) {
    if (!counts_) [[unlikely]] {
      allocate();
    }
    if (ns > kHighestCounted) [[unlikely]] {
      saturated_ += times;
    }
    counts_[index_of(std::min(ns, kHighestCounted))] += times;
    count_ += times;
    max_ = std::max(max_, ns);
  }
  static std::optional<double> microseconds(std::optional<Duration> value) {
    return value ? std::optional(static_cast<double>(value->count()) / 1e3) : std::nullopt;
  }
  void allocate();
  std::uint64_t rank(double p) const;  ///< of the percentile's value, from 1; 0 if empty
  void swap(LatencyHistogram& other) noexcept;
  /// One past the last index that may hold a count.
  std::size_t used() const { return counts_ ? index_of(std::min(max_, kHighestCounted)) + 1 : 0; }

  std::unique_ptr<std::uint64_t[], Free> counts_;
  std::uint64_t count_ = 0;
  std::uint64_t at_least_ = 0;
  std::uint64_t saturated_ = 0;
  std::int64_t min_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t max_ = 0;
  Sum sum_ = 0;  ///< of ended ones, ns
};

}  // namespace pgload::stats
