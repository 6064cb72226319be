#pragma once

#include <span>
#include <string_view>

#include "workloads/api/workload.hpp"

namespace workloads {

/// All workloads, sorted by name.
std::span<const api::Descriptor> registry();
/// nullptr if there is none of that name.
const api::Descriptor* find(std::string_view name);

}  // namespace workloads
