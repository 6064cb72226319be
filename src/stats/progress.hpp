#pragma once

#include <cstdint>
#include <optional>

namespace pgload::stats {

/// One moment of the run as the progress line shows it.
struct Progress {
  enum class Phase : std::uint8_t { connect, warmup, run, drain };
  Phase phase = Phase::run;
  double elapsed_s = 0;  ///< of the phase
  double left_s = 0;     ///< until the window ends; < 0: not known (--transactions)
  double transactions_per_second = 0;
  double queries_per_second = 0;
  std::optional<double> p50_us{}, p95_us{}, p99_us{}, max_us{};
  std::uint32_t busy = 0, open = 0, requested = 0;
  std::uint64_t retried = 0, failed = 0;  ///< so far
};

}  // namespace pgload::stats
