#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "src/engine/recorder.hpp"
#include "src/stats/run_result.hpp"

namespace pgload::engine {

/// The workers' interval blocks, joined second by second. A second is final when every worker has left it;
/// only then does its histogram shrink to a few numbers, so memory stays constant however long the run.
class Timeline {
 public:
  explicit Timeline(std::size_t workers) : reached_(workers, std::numeric_limits<std::int64_t>::min()) {}

  void add(std::size_t worker, std::unique_ptr<IntervalBlock> block);
  void worker_ended(std::size_t worker);

  /// Blocks of seconds that became final since the last call, in order (warm-up seconds included).
  std::vector<IntervalBlock> take_final();

  /// The interval that `block` describes; where the window ends is not known yet, so lengths are the
  /// caller's, and so are planned arrivals.
  static stats::IntervalResult summarise(const IntervalBlock& block);

 private:
  std::vector<std::int64_t> reached_;  ///< by worker: its last block's second
  std::map<std::int64_t, IntervalBlock> open_;
};

}  // namespace pgload::engine
