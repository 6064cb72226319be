#pragma once

#include "src/stats/latency_histogram.hpp"

namespace pgload::stats {

/// What a load at a fixed interval would have measured, estimated from a closed loop's latencies: whoever
/// waited for v would have sent more requests meanwhile, which would have waited v - interval, v - 2
/// interval, …
///
/// Source: HdrHistogram, copyCorrectedForCoordinatedOmission (Gil Tene). `interval` > 0.
LatencyHistogram corrected_for_coordinated_omission(const LatencyHistogram& measured,
                                                    LatencyHistogram::Duration interval);

}  // namespace pgload::stats
