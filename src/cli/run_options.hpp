#pragma once

#include "src/cli/option_reader.hpp"
#include "src/engine/run_plan.hpp"
#include "src/stats/run_result.hpp"

namespace pgload::cli {

/// The options that shape a run; `load` says them in the words of the report. Throws UsageError.
void read_run_plan(const OptionReader& reader, engine::RunPlan& plan, stats::LoadFacts& load);

}  // namespace pgload::cli
