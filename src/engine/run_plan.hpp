#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "src/engine/arrival_schedule.hpp"
#include "src/engine/load_profile.hpp"
#include "src/stats/self_check.hpp"
#include "workloads/api/statement.hpp"

namespace pgload::engine {

/// The pause of a session between its transactions, in a closed loop.
struct ThinkTime {
  std::chrono::nanoseconds mean{0};
  bool exponential = false;
};

/// One of several processes, on as many machines, that make one run together: each has its share of the rate
/// and session numbers of its own.
struct ClientShare {
  std::uint32_t index = 0;  ///< from 0
  std::uint32_t count = 1;
};

/// What `cli` makes of argv for the engine: plain data, nothing left to parse.
struct RunPlan {
  std::uint32_t sessions = 1;
  std::uint32_t min_sessions = 0;  ///< 0: all of them
  std::uint32_t io_threads = 1;
  /// How many of the sessions take part, over the time since the window's start; none: all of them.
  std::optional<LoadProfile> active_sessions;
  /// Planned arrivals per second since the window's start (the warm-up goes at its first level); none: closed
  /// loop. No --pipeline, no think time, no active_sessions with it.
  std::optional<LoadProfile> rate;
  ArrivalKind arrivals = ArrivalKind::poisson;
  /// An arrival that could not be started for so long is skipped; none: it waits.
  std::optional<std::chrono::nanoseconds> skip_after;
  ThinkTime think;
  std::chrono::nanoseconds warmup{0};
  std::optional<std::chrono::nanoseconds> time;  ///< of the window; none: until the transactions are used up
  std::optional<std::uint64_t> transactions;     ///< total over all sessions; ends the window when used up
  std::chrono::nanoseconds drain{std::chrono::seconds(10)};
  std::chrono::nanoseconds statement_timeout{std::chrono::seconds(60)};
  workloads::api::Protocol protocol = workloads::api::Protocol::prepared;
  /// Transactions in one flight; 1: the statements of one. 0: each statement waits for its reply.
  std::uint32_t pipeline = 0;
  std::uint32_t max_retries = 10;  ///< of one transaction, for 40001 and 40P01
  bool retry_whole = false;        ///< also where each statement commits: what is committed is done again
  std::uint64_t seed = 0;
  ClientShare client;
  /// When the load begins, the sessions being open; none: at once. Machines agree on wall clocks alone.
  std::optional<std::chrono::system_clock::time_point> start_at;
  double max_failed_ratio = 0.01;
  std::uint32_t receive_stamps = 16;  ///< one reply in so many; 0: none, loop delay instead
  stats::VerdictLimits verdict_limits;
  double log_share = 0;  ///< of the window's transactions: for RunObserver::transactions
};

}  // namespace pgload::engine
