#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "src/engine/cpu_facts.hpp"
#include "src/engine/worker.hpp"
#include "src/stats/self_check.hpp"

namespace pgload::engine {

/// CPU of one worker, second by second.
class CpuWatch {
 public:
  explicit CpuWatch(double busy_core) : busy_core_(busy_core) {}

  void begin(Clock::time_point now, ThreadTimes times);
  /// About a second later. A look that comes late counts for all the seconds it missed, one that comes early
  /// (the end of the window) for none.
  void look(Clock::time_point now, ThreadTimes times);
  void add_to(stats::WorkerFacts& facts) const;

 private:
  double busy_core_;
  Clock::time_point last_look_;
  ThreadTimes first_, last_;
  std::uint32_t seconds_ = 0, busy_seconds_ = 0;
};

/// The client's own behaviour during the window, watched from the controller's thread: CPU of the workers
/// once a second, CPU steal, and how late the workers' loops get to what was posted to them.
class SelfWatch {
 public:
  /// The workers may be added later, before `begin`.
  SelfWatch(const std::vector<std::unique_ptr<Worker>>& workers, const stats::VerdictLimits& limits);

  void begin(Clock::time_point now);
  /// Often: about as often as loops are to be probed.
  void poll(Clock::time_point now);
  void end(Clock::time_point now);
  /// Fills what was watched into result.self_check; after the workers have ended.
  void describe(stats::RunResult& result) const;

 private:
  void look_at_cpu(Clock::time_point now);
  void probe_loops(Clock::time_point now);

  const std::vector<std::unique_ptr<Worker>>& workers_;
  double busy_core_;
  std::vector<CpuWatch> cpus_;  ///< by worker; empty if the window never began
  std::optional<MachineTicks> ticks_at_start_, ticks_at_end_;
  Clock::time_point next_look_ = Clock::time_point::max();
  Clock::time_point next_probe_ = Clock::time_point::max();
};

}  // namespace pgload::engine
