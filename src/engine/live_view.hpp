#pragma once

#include <vector>

#include "src/engine/recorder.hpp"
#include "src/engine/run.hpp"

namespace pgload::engine {

/// Makes the progress line from finished seconds: one for every report interval.
class LiveView {
 public:
  LiveView(const RunPlan& plan, const RunObserver& observer);

  void set_open(std::uint32_t sessions) { open_ = sessions; }
  void add(const IntervalBlock& block);

 private:
  void show(const IntervalBlock& last);

  const RunPlan& plan_;
  const RunObserver& observer_;
  std::uint32_t open_ = 0;
  IntervalBlock since_last_;
  std::int64_t seconds_ = 0;
  std::uint64_t retried_ = 0;
  std::uint64_t failed_ = 0;
};

}  // namespace pgload::engine
