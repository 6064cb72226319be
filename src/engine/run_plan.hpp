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

}  // namespace pgload::engine
