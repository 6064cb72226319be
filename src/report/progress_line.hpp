#pragma once

#include <cstddef>
#include <string>

#include "src/stats/progress.hpp"

namespace pgload::report {

/// What is going on now, in one line without a line end: no escape codes, only ASCII. What does not fit into
/// `max_columns` is left out, the least important first; 0: no limit.
std::string progress_line(const stats::Progress& progress, std::size_t max_columns = 0);

}  // namespace pgload::report
