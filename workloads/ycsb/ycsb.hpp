#pragma once

#include <vector>

#include "workloads/api/workload.hpp"

namespace workloads::ycsb {

/// `ycsb` and its lettered mixes.
std::vector<api::Descriptor> workloads();

}  // namespace workloads::ycsb
