#include "src/engine/timeline.hpp"

#include <algorithm>

#include "src/stats/interval_series.hpp"

namespace pgload::engine {

void Timeline::add(std::size_t worker, std::unique_ptr<IntervalBlock> block) {
  reached_[worker] = block->second;
  const auto found = open_.find(block->second);
  if (found != open_.end()) {
    found->second.merge(*block);
  } else {
    open_.emplace(block->second, std::move(*block));
  }
}

void Timeline::worker_ended(std::size_t worker) { reached_[worker] = IntervalBlock::kDrain; }

std::vector<IntervalBlock> Timeline::take_final() {
  const std::int64_t everyone = *std::min_element(reached_.begin(), reached_.end());
  std::vector<IntervalBlock> final_blocks;
  while (!open_.empty() && open_.begin()->first <= everyone) {
    final_blocks.push_back(std::move(open_.begin()->second));
    open_.erase(open_.begin());
  }
  return final_blocks;
}

stats::IntervalResult Timeline::summarise(const IntervalBlock& block) {
  stats::IntervalResult interval;
  interval.drain = block.second == IntervalBlock::kDrain;
  if (!interval.drain) interval.start_s = static_cast<double>(block.second);
  interval.completed = block.completed;
  interval.failed = block.failed;
  stats::set_latencies(interval, block.service(), block.response());
  interval.busy_sessions = block.busy_sessions;
  interval.skipped = block.skipped;
  return interval;
}

}  // namespace pgload::engine
