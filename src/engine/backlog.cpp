#include "src/engine/backlog.hpp"

#include <algorithm>

namespace pgload::engine {

std::uint64_t Backlog::due_before(Clock::time_point instant) {
  return std::min(cursor_.count_before(instant - admission_.arrivals()->origin), admission_.end_arrival());
}

Clock::time_point Backlog::time_of(std::uint64_t arrival) {
  return admission_.arrivals()->origin + cursor_.at(arrival);
}

std::uint64_t Backlog::planned_before(Clock::time_point instant) {
  const std::uint64_t first = admission_.arrivals()->first_counted;
  return std::max(due_before(instant), first) - first;
}

Backlog::Queue Backlog::queue_at(Clock::time_point instant, std::uint64_t next_arrival) {
  const std::uint64_t due = due_before(instant);
  if (next_arrival >= due) return {};
  return {due - next_arrival, instant - time_of(next_arrival)};
}

stats::LatencyHistogram Backlog::ages_at(Clock::time_point instant, std::uint64_t next_arrival) {
  using stats::LatencyHistogram;
  LatencyHistogram ages;
  const std::uint64_t due = due_before(instant);
  std::uint64_t arrival = std::max(next_arrival, admission_.arrivals()->first_counted);
  while (arrival < due) {
    // All that are as old as this one, as far as the histogram can tell.
    const Clock::duration age = instant - time_of(arrival);
    const std::int64_t counted = std::min<std::int64_t>(age.count(), LatencyHistogram::kHighestCounted);
    const std::chrono::nanoseconds youngest(
        LatencyHistogram::lowest_equivalent(LatencyHistogram::index_of(counted)));
    const std::uint64_t end =
        std::clamp(due_before(instant - youngest + std::chrono::nanoseconds(1)), arrival + 1, due);
    ages.record_at_least(age, end - arrival);
    arrival = end;
  }
  return ages;
}

}  // namespace pgload::engine
