#pragma once

#include <span>
#include <string_view>

#include "workloads/api/workload.hpp"

namespace workloads::api {

/// All workloads, sorted by name.
std::span<const Descriptor> registry();
/// nullptr if there is none of that name.
const Descriptor* find(std::string_view name);

}  // namespace workloads::api
