#pragma once

// What is in the database of the tables that a workload needs, asked so that the answer is cheap on a huge
// distributed table: never count(*) over a whole table.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "src/data/lanes.hpp"

namespace pgload::data {

struct TableState {
  std::map<std::string, std::uint32_t> columns;  ///< name -> type OID; empty: no such table
  std::set<std::string> indexes;                 ///< names of the valid ones
  bool exists() const { return !columns.empty(); }
};

/// By the order of `tables`.
asio::awaitable<std::vector<TableState>> look_up(Lane& lane,
                                                 std::span<const workloads::api::TableSpec> tables);

/// The name of the first column of `table` that is not there.
std::optional<std::string> missing_column(const workloads::api::TableSpec& table, const TableState& state);

/// OIDs of the types that a key which numbers rows may have.
inline constexpr std::array<std::uint32_t, 6> kNumberTypes{20, 21, 23, 700, 701, 1700};
/// Whether the column that numbers the rows has one of these, or needs none.
bool has_number_key(const workloads::api::TableSpec& table, const TableState& state);

/// How binary COPY has to write the table's columns, in COPY order. Throws DataError for a missing column, a
/// type that the load cannot write, or one that is too narrow for the rows asked for.
std::vector<workloads::api::ColumnType> column_types(const workloads::api::TableSpec& table,
                                                     const TableState& state);

/// The highest key (about, where the planner has no index scan for max) of each of `names`; 0: no rows seen.
/// `asked`: the number of rows that are expected, 0 if unknown.
asio::awaitable<std::vector<std::uint64_t>> reach(Lane& lane, std::span<const std::string> names,
                                                  std::string key, std::uint64_t asked);
/// The same of one table, whose keys may be texts.
asio::awaitable<std::uint64_t> reach(Lane& lane, const workloads::api::TableSpec& table, std::uint64_t asked);

/// Whether some twenty keys of 1..rows, first and last among them and more of them near the end, where a load
/// that broke off would have stopped, are all there; by the order of `tables`.
asio::awaitable<std::vector<bool>> sampled_whole(Lane& lane,
                                                 std::span<const workloads::api::TableSpec> tables,
                                                 std::uint64_t chunk_rows);

/// Pure parts.

/// Keys near `asked` (within the last hundredth, `asked` itself among them) and beyond it.
std::vector<std::uint64_t> keys_near(std::uint64_t asked);
/// Up to twenty keys strictly between `low` and `high`, evenly spread, ascending.
std::vector<std::uint64_t> keys_between(std::uint64_t low, std::uint64_t high);
/// About twenty keys of 1..rows for `sampled_whole`, ascending, without repeats.
std::vector<std::uint64_t> sample_keys(std::uint64_t rows, std::uint64_t chunk_rows);
/// Whether a line of EXPLAIN's answer speaks of an index scan, and none of a sequential one.
bool plan_uses_index(std::span<const std::string> lines);

}  // namespace pgload::data
