#pragma once

#include <cstdint>
#include <string_view>

namespace workloads::api {

/// Which product's SQL is spoken. Decides DDL, loading and the list of statements before the run; nothing on
/// a transaction's way asks for it.
enum class Dialect : std::uint8_t { postgres, yugabyte, risingwave };

constexpr std::string_view to_string(Dialect dialect) {
  switch (dialect) {
    case Dialect::yugabyte:
      return "yugabyte";
    case Dialect::risingwave:
      return "risingwave";
    case Dialect::postgres:
      break;
  }
  return "postgres";
}

}  // namespace workloads::api
