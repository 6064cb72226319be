#pragma once

#include <cstddef>
#include <vector>

#include "src/stats/run_result.hpp"

namespace pgload::stats {

/// Sets the interval's figures and histograms from these; `response` may be empty (closed loop).
void set_latencies(IntervalResult& interval, const LatencyHistogram& service,
                   const LatencyHistogram& response);

/// Adds `other`, of the same time or later, to `interval`. Exact: counts add up, the figures are those of the
/// merged histograms. Start, length and what is said of the interval's end are left to the caller.
void add_counts(IntervalResult& interval, const IntervalResult& other);

/// The intervals of a run in memory that does not grow with its length: old intervals become longer. If there
/// are too many, or their histograms too large, the two neighbours that are shortest together become one, the
/// oldest first; the newest stay as they are as long as there are older ones to join. So a run of 24 h shows
/// its last ten minutes by seconds, and the rest in steps of 8 or 16 s.
class IntervalSeries {
 public:
  struct Limits {
    std::size_t intervals = 7'200;
    std::size_t newest = 600;       ///< that are joined last
    std::size_t bytes = 8'000'000;  ///< of packed histograms: some 11 MB in a JSON document
  };

  IntervalSeries() = default;
  explicit IntervalSeries(Limits limits) : limits_(limits) {}

  /// In order of time; the drain last.
  void add(IntervalResult interval);
  /// All of them; the series is empty then.
  std::vector<IntervalResult> take();

 private:
  std::size_t pair_to_join() const;
  void join(std::size_t first);

  Limits limits_;
  std::vector<IntervalResult> intervals_;
  std::size_t bytes_ = 0;
};

}  // namespace pgload::stats
