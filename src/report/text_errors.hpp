#pragma once

#include <string>

#include "src/stats/run_result.hpp"

namespace pgload::report {

/// The errors, the most frequent first, one line each; beyond the tenth they are only counted. Empty without
/// errors.
std::string error_lines(const stats::RunResult& run);

}  // namespace pgload::report
