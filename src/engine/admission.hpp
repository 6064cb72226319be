#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>

#include "src/engine/arrival_schedule.hpp"
#include "workloads/api/session.hpp"

namespace pgload::engine {

using Clock = workloads::api::Clock;

/// The planned arrivals of a run.
struct Arrivals {
  ArrivalSchedule schedule;
  Clock::time_point origin;     ///< of the schedule
  std::uint64_t first_counted;  ///< number of the window's first arrival: those before are warm-up
};

/// May another transaction start? The one thing that all workers share on a transaction's way: an instant
/// after which nothing starts, with --transactions a count that is used up, and with a rate the position in
/// the schedule, so that any free session of any worker claims the next arrival.
class Admission {
 public:
  /// As at first, for the next run; nobody may be claiming.
  void reset() {
    end_at(Clock::time_point::max());
    limited_ = false;
    arrivals_.reset();
    end_arrival_ = std::numeric_limits<std::uint64_t>::max();
    left_.store(0, std::memory_order_relaxed);
    next_arrival_.store(0, std::memory_order_relaxed);
  }

  /// Nothing starts at or after `end`; can be moved earlier at any time, by any thread.
  void end_at(Clock::time_point end) {
    end_.store(end.time_since_epoch().count(), std::memory_order_relaxed);
  }
  /// At most `count` transactions that arrive from `from` on.
  void limit(std::uint64_t count, Clock::time_point from) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    limited_ = true;
    from_ = from;
    left_.store(static_cast<std::int64_t>(std::min(count, kMost)), std::memory_order_relaxed);
  }
  /// With a rate, before the workers start; of the window's arrivals, `count` are planned at most.
  void plan(Arrivals arrivals, std::optional<std::uint64_t> count) {
    end_arrival_ = count ? arrivals.first_counted + *count : std::numeric_limits<std::uint64_t>::max();
    arrivals_.emplace(std::move(arrivals));
  }

  bool ended(Clock::time_point now) const {
    return now.time_since_epoch().count() >= end_.load(std::memory_order_relaxed);
  }
  /// Not even what a session has claimed already.
  bool nothing_starts(Clock::time_point now) const {
    return ended(now) || (limited_ && left_.load(std::memory_order_relaxed) <= 0);
  }
  /// There is nothing left to claim.
  bool over(Clock::time_point now) const {
    return nothing_starts(now) || (arrivals_ && next_arrival() >= end_arrival_);
  }

  /// Closed loop: how many transactions the caller may start now.
  std::uint32_t take(Clock::time_point now, std::uint32_t most) {
    if (ended(now)) return 0;
    if (!limited_ || now < from_) return most;
    const std::int64_t left = left_.fetch_sub(most, std::memory_order_relaxed);
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(left, 0, most));
  }

  /// Open loop; null in a closed one.
  const Arrivals* arrivals() const { return arrivals_ ? &*arrivals_ : nullptr; }
  /// Claims the next arrival. From end_arrival on there is none.
  std::uint64_t take_arrival() { return next_arrival_.fetch_add(1, std::memory_order_relaxed); }
  std::uint64_t end_arrival() const { return end_arrival_; }
  /// Arrivals before it are claimed or skipped.
  std::uint64_t next_arrival() const {
    return std::min(next_arrival_.load(std::memory_order_relaxed), end_arrival_);
  }
  /// Drops all unclaimed arrivals before `arrival`: those from the returned number on, none if it is
  /// `arrival`.
  std::uint64_t skip_to(std::uint64_t arrival) {
    std::uint64_t next = next_arrival_.load(std::memory_order_relaxed);
    while (next < arrival && !next_arrival_.compare_exchange_weak(next, arrival, std::memory_order_relaxed)) {
    }
    return std::min(next, arrival);
  }

 private:
  std::atomic<Clock::rep> end_{std::numeric_limits<Clock::rep>::max()};
  Clock::time_point from_;
  bool limited_ = false;
  std::optional<Arrivals> arrivals_;
  std::uint64_t end_arrival_ = std::numeric_limits<std::uint64_t>::max();
  // Apart from the above, which all read and nobody writes.
  alignas(64) std::atomic<std::int64_t> left_{0};
  alignas(64) std::atomic<std::uint64_t> next_arrival_{0};
};

}  // namespace pgload::engine
