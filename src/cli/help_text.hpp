#pragma once

#include <span>
#include <string>

#include "workloads/api/workload.hpp"

namespace pgload::cli {

/// `pgload --help`: at most 80 columns, like the others.
std::string help_text();

/// `pgload list`: a line each.
std::string workload_list(std::span<const workloads::api::Descriptor> workloads);

/// `pgload help <workload>`: what it does, its options with defaults, its statements.
std::string workload_help(const workloads::api::Descriptor& workload);

/// "0.1.0".
std::string version();

}  // namespace pgload::cli
