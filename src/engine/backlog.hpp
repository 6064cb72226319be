#pragma once

#include <cstdint>

#include "src/engine/admission.hpp"
#include "src/stats/latency_histogram.hpp"

namespace pgload::engine {

/// The controller's view of planned arrivals: how many there are and which of them still wait. Only with a
/// rate.
class Backlog {
 public:
  /// `admission` has arrivals, and outlives this.
  explicit Backlog(const Admission& admission)
      : admission_(admission), cursor_(admission.arrivals()->schedule) {}

  /// Arrivals planned for the window until `instant`.
  std::uint64_t planned_before(Clock::time_point instant);

  /// Arrivals due from `from` on and before `to`, the warm-up's too.
  std::uint64_t due_between(Clock::time_point from, Clock::time_point to) {
    const std::uint64_t before = due_before(from);
    return due_before(to) - before;
  }

  struct Queue {
    std::uint64_t count = 0;
    Clock::duration oldest{0};
  };
  /// What had arrived at `instant`, but was neither claimed nor skipped: all from `next_arrival` on.
  Queue queue_at(Clock::time_point instant, std::uint64_t next_arrival);

  /// The ages of these, "at least" so old. Costs per bucket, not per arrival.
  stats::LatencyHistogram ages_at(Clock::time_point instant, std::uint64_t next_arrival);

 private:
  /// Number of the first arrival that is not due before `instant`.
  std::uint64_t due_before(Clock::time_point instant);
  Clock::time_point time_of(std::uint64_t arrival);

  const Admission& admission_;
  ArrivalSchedule::Cursor cursor_;
};

}  // namespace pgload::engine
