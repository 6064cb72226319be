#pragma once

#include <cstddef>
#include <span>

#include "src/stats/run_result.hpp"

namespace pgload::stats {

/// Where throughput stopped growing: the first step within 5 % of the highest throughput of all. What offers
/// more than it only waits longer. `steps` is not empty.
std::size_t saturation_step(std::span<const RunResult> steps);

}  // namespace pgload::stats
