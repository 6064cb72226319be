#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace pgload::stats {

/// Counts of latencies, bucket-compatible with HdrHistogram: unit 1 ns, 3 significant digits, range 1 ns to at
/// least 1 h. One array, allocated once; recording is a shift and an add, and never fails: values above the range
/// are counted in the last bucket and in `saturated`, negative ones as 0.
///
/// Source of the bucket arithmetic: HdrHistogram, "HdrHistogram: A High Dynamic Range Histogram" (Tene).
class LatencyHistogram {
 public:
  using Duration = std::chrono::nanoseconds;

  static constexpr int kSignificantDigits = 3;
  static constexpr std::int64_t kHighestTrackable = 3'600'000'000'000;  ///< 1 h in ns

  LatencyHistogram();

  void record(Duration value);
  /// A transaction that had not ended after `age`: counts in the percentiles as at least this old, not in the mean.
  void record_at_least(Duration age);
  /// Exact: bucket by bucket.
  void merge(const LatencyHistogram& other);
  void reset();

  std::uint64_t count() const { return count_; }            ///< all values, "at least" ones included
  std::uint64_t at_least_count() const { return at_least_; }
  std::uint64_t saturated() const { return saturated_; }
  bool empty() const { return count_ == 0; }

  /// nullopt when there is nothing to say.
  std::optional<Duration> min() const;
  std::optional<Duration> max() const;  ///< exact
  std::optional<double> mean_ns() const;  ///< exact sum / number of completed values
  std::optional<double> stddev_ns() const;

  /// Percentile p in [0, 100]: the ceil(p/100 x count)-th value (the first for p = 0), as the highest equivalent value of its bucket,
  /// clamped to the exact maximum. nullopt if empty.
  std::optional<Duration> percentile(double p) const;

  /// The raw counts for exporters, index as in HdrHistogram's counts array.
  const std::vector<std::uint64_t>& counts() const { return counts_; }

 private:
  static std::size_t index_of(std::int64_t ns);
  static std::int64_t highest_equivalent(std::size_t index);
  void count_value(std::int64_t ns);

  std::vector<std::uint64_t> counts_;
  std::uint64_t count_ = 0;
  std::uint64_t at_least_ = 0;
  std::uint64_t saturated_ = 0;
  std::int64_t min_ = 0;
  std::int64_t max_ = 0;
  long double sum_ = 0;            ///< of completed values, ns
  long double sum_of_squares_ = 0;
};

}  // namespace pgload::stats
