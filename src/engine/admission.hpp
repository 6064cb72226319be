#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>

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
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    limited_ = true;
    from_ = from;
    left_.store(static_cast<std::int64_t>(std::min(count, kMost)), std::memory_order_relaxed);
  }

  /// How many transactions the caller may start now, all of one arrival. None: it is over.
  struct Claim {
    Clock::time_point arrival;
    std::uint32_t count = 0;
    explicit operator bool() const { return count > 0; }
  };
  Claim claim(std::uint32_t most = 1) {
    const Clock::time_point now = Clock::now();
    if (now.time_since_epoch().count() >= end_.load(std::memory_order_relaxed)) return {};
    if (!limited_ || now < from_) return {now, most};
    const std::int64_t left = left_.fetch_sub(most, std::memory_order_relaxed);
    return {now, static_cast<std::uint32_t>(std::clamp<std::int64_t>(left, 0, most))};
  }

  bool over(Clock::time_point now) const {
    return now.time_since_epoch().count() >= end_.load(std::memory_order_relaxed) ||
           (limited_ && left_.load(std::memory_order_relaxed) <= 0);
  }

 private:
  std::atomic<Clock::rep> end_{std::numeric_limits<Clock::rep>::max()};
  alignas(64) std::atomic<std::int64_t> left_{0};  ///< apart from `end_`, which all read and nobody writes
  Clock::time_point from_;
  bool limited_ = false;
};

}  // namespace pgload::engine
