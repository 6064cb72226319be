#pragma once

#include <span>
#include <string>

#include "src/stats/run_result.hpp"

namespace pgload::report {

inline constexpr const char* kSweepSchema = "pgload.sweep/1";

/// The throughput-latency curve as a table, a line for each step; `offered`: what grew, "sessions" or "rate".
std::string sweep_table(std::span<const stats::RunResult> steps, std::string_view offered,
                        std::span<const double> percentiles);

/// One JSON document with the whole document of each step. Keys: src/report/README.md.
std::string sweep_json(std::span<const stats::RunResult> steps, std::string_view offered);

}  // namespace pgload::report
