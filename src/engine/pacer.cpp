#include "src/engine/pacer.hpp"

#include <algorithm>
#include <cmath>

namespace pgload::engine {

namespace {

constexpr Clock::time_point kNever = Clock::time_point::max();

double seconds(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

/// `offset_s` may be infinite.
Clock::time_point instant(Clock::time_point origin, double offset_s) {
  const double most_s = seconds(kNever - origin);
  return offset_s < most_s ? origin + std::chrono::nanoseconds(static_cast<std::int64_t>(offset_s * 1e9))
                           : kNever;
}

}  // namespace

void Pacer::begin(Window window) {
  window_ = window;
  if (admission_.arrivals()) cursor_.emplace(admission_.arrivals()->schedule);
}

std::optional<Start> Pacer::next(Pace& pace) {
  if (cursor_) return next_arrival();
  Start start;
  start.now = start.when = read_clock_();
  if (plan_.think.mean.count() > 0) start.when = after_thinking(pace, start.now);
  if (plan_.active_sessions) {
    // Session n takes part while the level, rounded, is above n.
    const double since_s = std::max(0.0, seconds(start.when - window_.start));
    const double active_s = plan_.active_sessions->time_of_level(pace.session + 0.5, since_s);
    if (active_s > since_s) start.when = instant(window_.start, active_s);
  }
  return start.when == kNever ? std::nullopt : std::optional(start);
}

// Before the first transaction too, a part of it: or all sessions would march in step.
Clock::time_point Pacer::after_thinking(Pace& pace, Clock::time_point now) const {
  const bool first = pace.last_completion == Clock::time_point{};
  const auto mean = static_cast<double>(plan_.think.mean.count());
  double think_ns = mean;
  if (plan_.think.exponential) {
    think_ns = -mean * std::log1p(-pace.think_draws.unit());
  } else if (first) {
    think_ns = mean * pace.think_draws.unit();
  }
  const Clock::time_point since = first ? now : pace.last_completion;
  return instant(since, think_ns * 1e-9);
}

// One look at the clock for all arrivals that are passed over: the first that is young enough is claimed,
// though looking for it took time. That time is not the server's: another look for the dispatch.
std::optional<Start> Pacer::next_arrival() {
  const Clock::time_point now = read_clock_();
  const Arrivals& arrivals = *admission_.arrivals();
  bool skipped = false;
  while (true) {
    const std::uint64_t number = admission_.take_arrival();
    if (number >= admission_.end_arrival()) return std::nullopt;
    const ArrivalSchedule::Offset offset = cursor_->at(number);
    if (offset >= kNever - arrivals.origin) return std::nullopt;
    const Clock::time_point arrival = arrivals.origin + offset;
    const bool drop = plan_.skip_after && now - arrival > *plan_.skip_after && !admission_.ended(now);
    if (!drop) return Start{skipped ? read_clock_() : now, arrival, arrival};
    skip(number, now);
    skipped = true;
  }
}

/// The first arrival after `claimed` that is due at `oldest` or later. Mostly it is near: a few steps of the
/// cursor cost much less than its search.
std::uint64_t Pacer::first_due_from(ArrivalSchedule::Offset oldest, std::uint64_t claimed) {
  constexpr std::uint64_t kNear = 256;
  for (std::uint64_t number = claimed + 1; number < claimed + kNear; ++number)
    if (cursor_->at(number) >= oldest) return number;
  return cursor_->count_before(oldest);
}

/// Drops arrival `claimed` and all unclaimed ones that have waited too long.
void Pacer::skip(std::uint64_t claimed, Clock::time_point now) {
  const Arrivals& arrivals = *admission_.arrivals();
  const std::uint64_t young = first_due_from(now - *plan_.skip_after - arrivals.origin, claimed);
  const std::uint64_t limit = std::min(young, admission_.end_arrival());
  const std::uint64_t first = admission_.skip_to(limit);
  const auto counted = [&](std::uint64_t from, std::uint64_t to) {
    return to - std::min(std::max(from, arrivals.first_counted), to);
  };
  recorder_.record_skipped(counted(claimed, claimed + 1) + counted(first, limit), now);
}

Pacer::Claim Pacer::claim(const Start& start, std::uint32_t most) {
  const bool was_free = start.when > start.now;
  const Clock::time_point now = was_free ? read_clock_() : start.now;
  if (!start.arrival) return {now, now, true, admission_.take(now, most)};
  if (!admission_.ended(now)) return {*start.arrival, now, was_free, 1};
  if (!admission_.ended(*start.arrival)) recorder_.record_queued(*start.arrival);
  return {};
}

}  // namespace pgload::engine
