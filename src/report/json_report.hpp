#pragma once

#include <span>
#include <string>
#include <vector>

#include "src/stats/run_result.hpp"

namespace pgload::report {

inline constexpr const char* kRunSchema = "pgload.run/1";

/// Everything, for programs: one JSON document with a final line end. Keys: src/report/README.md, and
/// src/report/pgload.run.schema.json. Never throws for what a server sent. Its percentiles are the usual ones
/// and those of `run.percentiles`.
std::string json_report(const stats::RunResult& run);

/// The percentiles of such a document, ascending.
std::vector<double> json_percentiles(std::span<const double> asked);

}  // namespace pgload::report
