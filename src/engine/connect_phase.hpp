#pragma once

#include <memory>
#include <string>
#include <vector>

#include "src/engine/run.hpp"
#include "src/engine/worker.hpp"

namespace pgload::engine {

/// Opens the sessions of all workers: the same number for each host (±1). A host that is down ends the run
/// with a sentence, unless plan.min_sessions can be had without it: then its sessions go to the others.
///
/// Returns notes for the report. Throws SetupError or Interrupted.
std::vector<std::string> open_all_sessions(RunContext& run, std::vector<std::unique_ptr<Worker>>& workers,
                                           const RunObserver& observer);

}  // namespace pgload::engine
