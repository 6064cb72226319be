#pragma once

#include <string>

#include "src/stats/run_result.hpp"

namespace pgload::report {

/// What the server counted beside us: one line, or two where there was much; empty if nobody asked it.
std::string server_side_lines(const stats::RunResult& run);

}  // namespace pgload::report
