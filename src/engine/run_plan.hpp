#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "workloads/api/statement.hpp"

namespace pgload::engine {

/// What `cli` makes of argv for the engine: plain data, nothing left to parse.
struct RunPlan {
  std::uint32_t sessions = 1;
  std::uint32_t min_sessions = 0;  ///< 0: all of them
  std::uint32_t io_threads = 1;
  std::chrono::nanoseconds warmup{0};
  std::optional<std::chrono::nanoseconds> time;  ///< of the window; none: until the transactions are used up
  std::optional<std::uint64_t> transactions;     ///< total over all sessions; ends the window when used up
  std::chrono::nanoseconds drain{std::chrono::seconds(10)};
  std::chrono::nanoseconds statement_timeout{std::chrono::seconds(60)};
  workloads::api::Protocol protocol = workloads::api::Protocol::prepared;
  std::uint32_t pipeline = 1;
  std::uint32_t max_retries = 10;  ///< of one transaction, for 40001 and 40P01
  std::uint64_t seed = 0;
  double max_failed_ratio = 0.01;
};

/// One second of the run as the progress line shows it.
struct Progress {
  enum class Phase : std::uint8_t { connect, warmup, run, drain };
  Phase phase = Phase::run;
  double elapsed_s = 0;  ///< of the phase
  double left_s = 0;     ///< until the window ends; < 0: not known (--transactions)
  double transactions_per_second = 0;
  double queries_per_second = 0;
  std::optional<double> p50_us, p95_us, p99_us, max_us;
  std::uint32_t busy = 0, open = 0, requested = 0;
  std::uint64_t retried = 0, failed = 0;  ///< so far
};

}  // namespace pgload::engine
