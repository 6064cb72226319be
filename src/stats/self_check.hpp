#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/stats/latency_histogram.hpp"

namespace pgload::stats {

/// One worker's own behaviour during the window.
struct WorkerFacts {
  double cpu_s = 0;
  double run_queue_wait_s = 0;  ///< ready to run, but not running (schedstat)
  std::uint32_t seconds = 0;    ///< that were looked at
  /// Of these: running, or ready and waiting for a CPU, for more than VerdictLimits::busy_core.
  std::uint32_t busy_seconds = 0;
  LatencyHistogram timer_lateness;  ///< a timer fired this much after it was due
  LatencyHistogram client_error;    ///< see SelfCheck
};

/// What the client itself added to the latencies, measured.
struct SelfCheck {
  /// How client_error was measured: "kernel receive stamps" (reply handled - reply received by the kernel; a
  /// sample whose values stand for the replies it was drawn from; plain TCP only) or "loop delay" (a task
  /// posted every 20 ms ran this much late: Unix sockets, TLS).
  std::string method;
  /// A delay of all that a worker does, and not only of replies: it may exceed the latencies.
  bool is_loop_delay() const { return method == "loop delay"; }
  LatencyHistogram client_error;
  /// Dispatch - arrival although a session was free: the client's own fault. Empty in a closed loop.
  LatencyHistogram dispatch_lag;
  std::vector<WorkerFacts> workers;
  double steal_ratio = 0;           ///< of the machine's CPU time, taken by its host
  double mean_busy_sessions = 0;    ///< with a transaction in flight, measured
  double little_busy_sessions = 0;  ///< throughput x mean service time: must agree with the measured
  double all_busy_ratio = 0;        ///< share of the window in which every session was busy
};

enum class VerdictKind : std::uint8_t { client_bound, rate_not_reached, too_few_samples };
const char* to_string(VerdictKind kind);  ///< "client-bound", "rate-not-reached", "too-few-samples"

/// Why the numbers of a run must not be trusted, with the figure that decided.
struct Verdict {
  VerdictKind kind;
  std::string figure;   ///< "worker 2 above 90 % busy in 41 % of the seconds"
  double measured = 0;  ///< in the unit of the limit
  double limit = 0;
};

/// When a run counts as not valid. Ratios 0..1.
struct VerdictLimits {
  double client_share = 0.05;   ///< of mean and of p99 service time
  double lag_p99_ms = 0.5;      ///< and
  double lag_p99_share = 0.05;  ///< of response p99: the greater of both counts
  double busy_core = 0.9;
  double busy_seconds_share = 0.05;
  double rate_reached = 0.99;  ///< ended transactions of the scheduled arrivals
  std::uint32_t samples_beyond = 10;
};

}  // namespace pgload::stats
