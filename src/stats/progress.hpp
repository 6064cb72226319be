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
  double silent_s = 0;                    ///< since a transaction ended
  /// Only with a rate; latencies are then response times.
  struct OpenLoop {
    double arrivals_per_second = 0;
    std::uint64_t queued = 0;
    double oldest_s = 0;
    std::optional<double> lag_p99_us{};
    std::uint64_t skipped = 0;  ///< so far
  };
  std::optional<OpenLoop> open_loop{};
};

}  // namespace pgload::stats
