#pragma once

#include <array>
#include <span>
#include <string>

#include "src/stats/run_result.hpp"

namespace pgload::report {

inline constexpr std::array<double, 4> kDefaultPercentiles = {50, 95, 99, 99.9};

/// The report for people, to be read in ten seconds: lines of at most some 120 columns, each with its line
/// end.
std::string text_report(const stats::RunResult& run,
                        std::span<const double> percentiles = kDefaultPercentiles);

}  // namespace pgload::report
