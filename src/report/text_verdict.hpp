#pragma once

#include <string>

#include "src/stats/run_result.hpp"

namespace pgload::report {

/// Can the numbers be trusted? Each reason why not on a line of its own, with the figure that decided.
std::string verdict_lines(const stats::RunResult& run);

/// What the client adds, and what it lacked; empty if nothing was measured.
std::string self_check_line(const stats::RunResult& run);

/// Marks a percentile with too few samples beyond it: "~2.10".
std::string marked_percentile(const stats::LatencyHistogram& latency, double p,
                              const stats::VerdictLimits& limits);
/// Explains the mark, if `table` has it.
std::string mark_line(const std::string& table, const stats::VerdictLimits& limits);

}  // namespace pgload::report
