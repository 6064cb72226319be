#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "src/stats/run_result.hpp"

namespace pgload::report {

/// A text that is no result of pgload; what() is a sentence that begins with the file's name.
struct NoResultError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The result that json_report wrote, exact enough that json_report writes the same bytes again. `name` is
/// the file's, for messages. Throws NoResultError.
stats::RunResult read_json_report(std::string_view text, const std::string& name);

/// Throws NoResultError for a file that can't be read, too.
stats::RunResult read_json_file(const std::string& file);

}  // namespace pgload::report
