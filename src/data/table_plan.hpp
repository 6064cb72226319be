#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/data/inspect.hpp"

namespace pgload::data {

/// What `prepare` does with a table.
enum class Action : std::uint8_t { create, recreate, resume, keep };

/// What is known of a table before it is decided. `rows` matters only if it is not whole.
struct TableFacts {
  bool exists = false;
  bool rows_whole = false;
  bool indexes_whole = false;
  std::uint64_t rows = 0;  ///< about
};

/// Throws DataError if an existing table may neither be kept nor touched.
Action decide_one(const workloads::api::TableSpec& table, const TableFacts& facts, const PreparePlan& plan);

/// Looks at the tables that exist, and decides for each. Throws DataError.
asio::awaitable<std::vector<Action>> decide(Lane& lane, std::span<const workloads::api::TableSpec> tables,
                                            std::span<const TableState> states, const PreparePlan& plan);

}  // namespace pgload::data
