#pragma once

#include <span>
#include <string>

#include "src/stats/run_result.hpp"

namespace pgload::report {

inline constexpr const char* kRunSchema = "pgload.run/1";

/// Everything, for programs: one JSON document with a final line end. Keys: src/report/README.md. Never
/// throws for what a server sent. `more_percentiles` are added to the usual ones.
std::string json_report(const stats::RunResult& run, std::span<const double> more_percentiles = {});

}  // namespace pgload::report
