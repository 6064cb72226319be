#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include "src/stats/latency_histogram.hpp"
#include "workloads/api/session.hpp"

namespace pgload::engine {

/// Sessions of one worker that sleep until their next transaction is due: one timer for all of them. Who is
/// due resumes in the order of due times. Allocates nothing once warm.
class WakeQueue {
 public:
  using Clock = workloads::api::Clock;
  /// What resumes one session; lives as long as it sleeps.
  using Handler = boost::asio::async_result<boost::asio::use_awaitable_t<>, void()>::handler_type;
  using Sleeper = std::optional<Handler>;

  explicit WakeQueue(boost::asio::io_context& context) : context_(context), timer_(context) {}

  /// Suspends until `due`, or until `end`; after `end`, the caller only gives others a turn.
  boost::asio::awaitable<void> sleep_until(Sleeper& sleeper, Clock::time_point due);
  /// Wakes all who sleep.
  void end();

  /// A run begins: who sleeps, sleeps again. Measured is what is due from `from` on.
  void begin(Clock::time_point from) {
    ended_ = false;
    measured_from_ = from;
    lateness_.reset();
  }
  /// How long after it was due the timer fired.
  const stats::LatencyHistogram& lateness() const { return lateness_; }

 private:
  struct Entry {
    Clock::time_point due;
    std::uint64_t number;  ///< of two with the same due time, the first comes first
    Sleeper* sleeper;

    /// The order of a heap whose top wakes first.
    bool operator<(const Entry& other) const {
      return due != other.due ? due > other.due : number > other.number;
    }
  };

  void add(Sleeper& sleeper, Clock::time_point due);
  void wake_first();
  void resume_soon(Sleeper& sleeper);
  void arm();
  void wake_due();

  boost::asio::io_context& context_;
  boost::asio::steady_timer timer_;
  std::vector<Entry> entries_;  ///< a heap
  std::uint64_t added_ = 0;
  Clock::time_point armed_for_ = Clock::time_point::max();
  Clock::time_point measured_from_ = Clock::time_point::max();
  bool ended_ = false;
  stats::LatencyHistogram lateness_;
};

}  // namespace pgload::engine
