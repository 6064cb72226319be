#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "src/stats/latency_histogram.hpp"

namespace pgload::stats {

/// A histogram in one or two kilobytes instead of hundreds: to be kept by the thousand, or to be stored.
struct PackedHistogram {
  /// The counts from index 0 to the last one above 0, as in the payload of HdrHistogram's V2 encoding: ZigZag
  /// LEB128 numbers of at most 9 bytes, a negative one being a run of so many zeros.
  std::string counts;
  LatencyHistogram::Exact exact;

  bool empty() const { return counts.empty(); }
  bool operator==(const PackedHistogram&) const = default;
};

PackedHistogram pack(const LatencyHistogram& histogram);
/// nullopt: no histogram is packed so.
std::optional<LatencyHistogram> unpack(const PackedHistogram& packed);

}  // namespace pgload::stats
