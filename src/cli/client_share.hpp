#pragma once

#include <functional>
#include <string_view>

#include "src/engine/run_plan.hpp"

namespace pgload::cli {

/// What getenv gives: nullptr for what is not set.
using Environment = std::function<const char*(const char* name)>;

/// "2/8": the second of eight. "auto": from what Open MPI (OMPI_COMM_WORLD_*), MPICH and others (PMI_*) and
/// Slurm (SLURM_*) set for each process. "auto/8": of an indexed job that knows its index only
/// (JOB_COMPLETION_INDEX of Kubernetes). Throws QuantityError.
engine::ClientShare parse_client_share(std::string_view text, const Environment& environment);

}  // namespace pgload::cli
