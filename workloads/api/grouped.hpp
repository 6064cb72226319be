#pragma once

#include <cstdint>
#include <string>

namespace workloads::api {

/// 1234567 -> "1,234,567", whatever the locale.
std::string grouped(std::uint64_t number);

}  // namespace workloads::api
