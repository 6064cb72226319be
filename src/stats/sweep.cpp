#include "src/stats/sweep.hpp"

#include <algorithm>

namespace pgload::stats {

std::size_t saturation_step(std::span<const RunResult> steps) {
  constexpr double kAsGood = 0.95;
  const auto highest = std::ranges::max_element(steps, {}, &RunResult::transactions_per_second);
  const double enough = kAsGood * highest->transactions_per_second();
  const auto first = std::ranges::find_if(
      steps, [&](const RunResult& step) { return step.transactions_per_second() >= enough; });
  return static_cast<std::size_t>(first - steps.begin());
}

}  // namespace pgload::stats
