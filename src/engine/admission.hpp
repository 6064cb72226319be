#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>

#include "workloads/api/session.hpp"

namespace pgload::engine {

using Clock = workloads::api::Clock;

/// May another transaction start? The one thing that all workers share on a transaction's way: in a closed
/// loop an instant after which nothing starts, and with --transactions a count that is used up.
class Admission {
 public:
  /// Nothing starts at or after `end`; can be moved earlier at any time, by any thread.
  void end_at(Clock::time_point end) {
    end_.store(end.time_since_epoch().count(), std::memory_order_relaxed);
  }
  /// At most `count` transactions that arrive from `from` on.
  void limit(std::uint64_t count, Clock::time_point from) {
    limited_ = true;
    from_ = from;
    left_.store(static_cast<std::int64_t>(count), std::memory_order_relaxed);
  }

  /// The arrival of the caller's next transaction, or nullopt: it is over.
  std::optional<Clock::time_point> claim() {
    const Clock::time_point now = Clock::now();
    if (now.time_since_epoch().count() >= end_.load(std::memory_order_relaxed)) return std::nullopt;
    if (limited_ && now >= from_ && left_.fetch_sub(1, std::memory_order_relaxed) <= 0) return std::nullopt;
    return now;
  }

  bool over(Clock::time_point now) const {
    return now.time_since_epoch().count() >= end_.load(std::memory_order_relaxed) ||
           (limited_ && left_.load(std::memory_order_relaxed) <= 0);
  }

 private:
  std::atomic<Clock::rep> end_{std::numeric_limits<Clock::rep>::max()};
  std::atomic<std::int64_t> left_{0};
  Clock::time_point from_;
  bool limited_ = false;
};

}  // namespace pgload::engine
