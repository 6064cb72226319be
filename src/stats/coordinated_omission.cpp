#include "src/stats/coordinated_omission.hpp"

namespace pgload::stats {

LatencyHistogram corrected_for_coordinated_omission(const LatencyHistogram& measured,
                                                    LatencyHistogram::Duration interval) {
  using Duration = LatencyHistogram::Duration;
  LatencyHistogram corrected = measured;
  const auto counts = measured.counts();
  for (std::size_t index = 0; index < counts.size(); ++index) {
    if (counts[index] == 0) continue;
    const Duration value(LatencyHistogram::highest_equivalent(index));
    for (Duration missed = value - interval; missed >= interval; missed -= interval) {
      corrected.record(missed, counts[index]);
    }
  }
  return corrected;
}

}  // namespace pgload::stats
