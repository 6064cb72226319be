#pragma once

#include <array>
#include <string>
#include <string_view>

#include "src/stats/run_result.hpp"

namespace pgload::report {

/// Names of the formats that a finished document can be written in.
inline constexpr std::array<std::string_view, 5> kDocumentFormats = {"text", "json", "hlog", "ndjson", "csv"};

/// The document in one of them, with the percentiles of `run.percentiles`. Interval series are as fine as the
/// document. The histogram log has a line for each interval of all kinds together, and one of the whole run
/// for each kind: of single kinds, the document holds no intervals.
std::string write_document(const stats::RunResult& run, std::string_view format);

}  // namespace pgload::report
