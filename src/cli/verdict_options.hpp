#pragma once

#include <string_view>

#include "src/cli/command_line.hpp"
#include "src/cli/option_reader.hpp"
#include "src/stats/self_check.hpp"

namespace pgload::cli {

/// "client-share=10%,lag=1ms": what is not named stays as it is by default. Throws QuantityError.
stats::VerdictLimits parse_verdict_limits(std::string_view text);

/// --strict, --verdict-limits, --receive-stamps.
void read_verdict(const OptionReader& reader, CommandLine& line);

}  // namespace pgload::cli
