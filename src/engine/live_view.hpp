#pragma once

#include <vector>

#include "src/engine/backlog.hpp"
#include "src/engine/recorder.hpp"
#include "src/engine/run.hpp"

namespace pgload::engine {

/// Makes the progress line from finished seconds: one for every report interval.
class LiveView {
 public:
  LiveView(const RunPlan& plan, const RunObserver& observer);
  /// With a rate: shows its backlog too. It outlives this.
  void show_backlog(Backlog* backlog) { backlog_ = backlog; }

  void set_open(std::uint32_t sessions) { open_ = sessions; }
  /// `end` of the block's second.
  void add(const IntervalBlock& block, Clock::time_point end);

 private:
  void show(const IntervalBlock& last, Clock::time_point end);
  stats::Progress::OpenLoop open_loop(const IntervalBlock& last, Clock::time_point end);

  const RunPlan& plan_;
  const RunObserver& observer_;
  Backlog* backlog_ = nullptr;
  std::uint32_t open_ = 0;
  IntervalBlock since_last_;
  std::int64_t seconds_ = 0;
  std::uint64_t retried_ = 0;
  std::uint64_t failed_ = 0;
  std::uint64_t skipped_ = 0;
};

}  // namespace pgload::engine
