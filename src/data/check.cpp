#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "src/data/findings.hpp"
#include "src/data/inspect.hpp"
#include "src/data/sql_text.hpp"

namespace pgload::data {
namespace {

namespace api = workloads::api;

/// The longest unbroken series prefix1, prefix2 … among tables, views and partitioned tables in reach that
/// have the key column, a number.
asio::awaitable<std::uint64_t> count_family(Lane& lane, const api::TableFamily& family) {
  std::string sql = fmt::format(
      "SELECT substr(c.relname, {}) FROM pg_catalog.pg_class AS c "
      "JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attname = {} AND NOT a.attisdropped "
      "AND a.atttypid IN ({}) "
      "WHERE c.relname LIKE {} AND c.relkind IN ('r', 'p', 'f', 'v', 'm') AND pg_table_is_visible(c.oid)",
      family.prefix.size() + 1, quote_text(family.key), fmt::join(kNumberTypes, ", "),
      quote_text(like_prefix(family.prefix)));
  if (lane.dialect() == api::Dialect::risingwave)
    sql = fmt::format(
        "SELECT substr(table_name, {}) FROM information_schema.columns "
        "WHERE column_name = {} AND table_name LIKE {} AND table_schema = current_schema()",
        family.prefix.size() + 1, quote_text(family.key), quote_text(like_prefix(family.prefix)));
  const auto rows = co_await lane.query(std::move(sql), "look up the tables");
  std::vector<std::string> numbers;
  for (const auto& row : rows) numbers.push_back(row.at(0).value_or(""));
  co_return unbroken(numbers);
}

asio::awaitable<void> find_all(Lane& lane, const api::TableFamily& family, api::FoundData& found) {
  found.tables = co_await count_family(lane, family);
  if (found.tables == 0) co_return;
  std::vector<std::string> names;
  for (std::uint64_t i = 1; i <= found.tables; ++i) names.push_back(family.prefix + std::to_string(i));
  const auto ends = co_await reach(lane, names, family.key, 0);
  found.rows_per_table = *std::ranges::min_element(ends);
  found.highest_key = *std::ranges::max_element(ends);
}

asio::awaitable<void> check_all(Lane& lane, const std::vector<api::TableSpec>& tables,
                                std::vector<std::string>& notes) {
  const auto states = co_await look_up(lane, tables);
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (!states[i].exists())
      throw DataError(fmt::format("table {} does not exist: run `pgload prepare` first", tables[i].name));
    if (const auto missing = missing_column(tables[i], states[i]))
      throw DataError(
          fmt::format("table {} has no column {}: it is not one of this workload", tables[i].name, *missing));
    if (!has_number_key(tables[i], states[i]))
      throw DataError(fmt::format("column {} of table {} is no number: it is not one of this workload",
                                  tables[i].key, tables[i].name));
  }
  // Tables of one size are asked together.
  std::map<std::pair<std::string, std::uint64_t>, std::vector<std::string>> groups;
  for (const auto& table : tables)
    if (!table.key_text) groups[{table.key, table.rows}].push_back(table.name);
  for (const auto& [group, names] : groups) {
    const auto ends = co_await reach(lane, names, group.first, group.second);
    judge_rows(names, ends, group.second, notes);
  }
  for (const auto& table : tables) {
    if (!table.key_text) continue;
    const std::vector<std::string> name{table.name};
    const std::uint64_t end = co_await reach(lane, table, table.rows);
    judge_rows(name, std::span(&end, 1), table.rows, notes);
  }
}

/// Of tables that are no family, only one whose keys are texts is looked at.
asio::awaitable<void> find_one(Lane& lane, const std::vector<api::TableSpec>& tables, api::FoundData& found) {
  const auto states = co_await look_up(lane, tables);
  if (!states[0].exists()) co_return;
  found.tables = 1;
  const std::uint64_t rows = co_await reach(lane, tables[0], 0);
  found.rows_per_table = found.highest_key = rows;
}

}  // namespace

api::FoundData find(const Target& target, const api::Workload& workload) {
  api::FoundData found;
  const auto family = workload.family();
  const auto tables = workload.tables();
  if (family) {
    run_lane(target, [&](Lane& lane) { return find_all(lane, *family, found); });
  } else if (tables.size() == 1 && tables[0].key_text) {
    run_lane(target, [&](Lane& lane) { return find_one(lane, tables, found); });
  }
  return found;
}

std::vector<std::string> check(const Target& target, const api::Workload& workload) {
  const auto tables = workload.tables();
  std::vector<std::string> notes;
  if (tables.empty()) return notes;
  run_lane(target, [&](Lane& lane) { return check_all(lane, tables, notes); });
  return notes;
}

}  // namespace pgload::data
