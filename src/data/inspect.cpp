#include "src/data/inspect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "proto_pg/wire/frontend.hpp"
#include "src/data/sql_text.hpp"
#include "workloads/api/grouped.hpp"

namespace pgload::data {
namespace {

namespace api = workloads::api;
namespace oid = proto_pg::wire::oid;

constexpr std::size_t kStatementsPerQuery = 100;

/// 0 for what is no row number: NULL, below 0, not finite.
std::uint64_t number(const std::optional<std::string>& text) {
  std::uint64_t value = 0;
  if (text) std::from_chars(text->data(), text->data() + text->size(), value);
  return value;
}

/// Statements of one number each, many in one round trip; a failed one fails all.
asio::awaitable<std::vector<std::uint64_t>> numbers(Lane& lane, std::vector<std::string> statements,
                                                    std::string doing) {
  std::vector<std::uint64_t> answers;
  for (std::size_t at = 0; at < statements.size(); at += kStatementsPerQuery) {
    const auto end = std::min(at + kStatementsPerQuery, statements.size());
    std::string sql =
        fmt::format("{}", fmt::join(statements.begin() + static_cast<std::ptrdiff_t>(at),
                                    statements.begin() + static_cast<std::ptrdiff_t>(end), ";"));
    const auto rows = co_await lane.query(std::move(sql), doing);
    for (const auto& row : rows) answers.push_back(row.empty() ? 0 : number(row[0]));
  }
  if (answers.size() != statements.size()) throw DataError("cannot " + doing + ": answers are missing");
  co_return answers;
}

/// "(0,'sbtest1'),(1,'sbtest2')": positions and names as to_regclass wants them.
std::string name_list(std::span<const api::TableSpec> tables) {
  std::string list;
  for (std::size_t i = 0; i < tables.size(); ++i)
    list += fmt::format("{}({},{})", i ? "," : "", i, quote_text(quote_name(tables[i].name)));
  return list;
}

using KeyText = std::function<std::string(std::uint64_t)>;

/// Asks for the highest number of `rows` whose row is in the table. `text`: its keys, where they are no
/// numbers.
std::string highest_sql(std::string_view name, std::string_view key, const KeyText& text,
                        const std::vector<std::uint64_t>& rows) {
  if (!text)
    return fmt::format("SELECT coalesce(max({}), 0) FROM {} WHERE {}", quote_name(key), quote_name(name),
                       key_in(key, rows));
  std::string list;
  for (const std::uint64_t row : rows)
    list += fmt::format("{}({},{})", list.empty() ? "" : ",", row, quote_text(text(row)));
  return fmt::format(
      "SELECT coalesce(max(asked.n), 0) FROM (VALUES {}) AS asked(n, k) JOIN {} AS t ON t.{} = asked.k", list,
      quote_name(name), quote_name(key));
}

/// Highest of `rows` that is in the table, 0 if none.
asio::awaitable<std::uint64_t> highest_of(Lane& lane, std::string name, std::string key, KeyText text,
                                          std::vector<std::uint64_t> rows) {
  if (rows.empty()) co_return 0;
  std::vector<std::string> sql{highest_sql(name, key, text, rows)};
  const auto found = co_await numbers(lane, std::move(sql), "look at the rows of " + name);
  co_return found[0];
}

/// The highest key by bisection: powers of two, then twenty keys in between, and again. Gaps of a table can
/// end it early: the answer is what is surely there.
asio::awaitable<std::uint64_t> search_end(Lane& lane, std::string name, std::string key, KeyText text) {
  std::vector<std::uint64_t> powers;
  for (unsigned bit = 0; bit < 63; ++bit) powers.push_back(std::uint64_t{1} << bit);
  std::uint64_t low = co_await highest_of(lane, name, key, text, powers);
  if (low == 0) co_return 0;
  std::uint64_t high = low >= powers.back() ? std::numeric_limits<std::int64_t>::max() : 2 * low;
  while (high - low > 1) {
    const auto keys = keys_between(low, high);
    const std::uint64_t found = co_await highest_of(lane, name, key, text, keys);
    if (found != 0) low = found;
    const auto above = std::ranges::upper_bound(keys, low);
    if (above != keys.end()) high = *above;
  }
  co_return low;
}

/// For each table, whether the planner finds its highest key by an index.
asio::awaitable<std::vector<bool>> maximum_is_cheap(Lane& lane, std::span<const std::string> names,
                                                    std::string key) {
  // A row that no plan has, between the plans of one round trip.
  static constexpr std::string_view kEnd = "pgload: end of plan";
  const std::size_t all = names.size();
  std::vector<bool> cheap;
  if (lane.dialect() == api::Dialect::risingwave) names = {};
  std::vector<std::string> plan;
  for (std::size_t at = 0; at < names.size(); at += kStatementsPerQuery) {
    std::string sql;
    for (const auto& name : names.subspan(at, std::min(kStatementsPerQuery, names.size() - at)))
      sql += fmt::format("EXPLAIN SELECT max({}) FROM {}; SELECT '{}';", quote_name(key), quote_name(name),
                         kEnd);
    const auto rows = co_await lane.query(std::move(sql), "look at the rows");
    for (const auto& row : rows) {
      if (row.at(0) != kEnd) {
        plan.push_back(row[0].value_or(""));
        continue;
      }
      cheap.push_back(plan_uses_index(plan));
      plan.clear();
    }
  }
  cheap.resize(all);
  co_return cheap;
}

std::uint32_t type_named(std::string_view name) {
  if (name == "integer") return oid::kInt4;
  if (name == "bigint") return oid::kInt8;
  return name == "character varying" ? oid::kVarchar : oid::kUnspecified;
}

/// RisingWave has the standard's catalogue and little of PostgreSQL's.
asio::awaitable<std::vector<TableState>> look_up_by_standard(Lane& lane,
                                                             std::span<const api::TableSpec> tables) {
  std::vector<TableState> states(tables.size());
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const std::string name = quote_text(tables[i].name);
    std::string columns_sql = fmt::format(
        "SELECT column_name, data_type FROM information_schema.columns "
        "WHERE table_name = {} AND table_schema = current_schema()",
        name);
    const auto columns = co_await lane.query(std::move(columns_sql), "look up the tables");
    for (const auto& row : columns)
      states[i].columns.emplace(row[0].value_or(""), type_named(row[1].value_or("")));
    std::string indexes_sql = fmt::format(
        "SELECT indexname FROM pg_catalog.pg_indexes WHERE tablename = {} AND schemaname = current_schema()",
        name);
    const auto indexes = co_await lane.query(std::move(indexes_sql), "look up the indexes");
    for (const auto& row : indexes) states[i].indexes.insert(row[0].value_or(""));
  }
  co_return states;
}

}  // namespace

asio::awaitable<std::vector<TableState>> look_up(Lane& lane, std::span<const api::TableSpec> tables) {
  if (lane.dialect() == api::Dialect::risingwave) {
    auto found = co_await look_up_by_standard(lane, tables);
    co_return found;
  }
  std::vector<TableState> states(tables.size());
  const std::string names = name_list(tables);
  std::string columns_sql = fmt::format(
      "SELECT t.n, a.attname, a.atttypid::int8 FROM (VALUES {}) AS t(n, name) "
      "JOIN pg_catalog.pg_attribute AS a ON a.attrelid = to_regclass(t.name) "
      "WHERE a.attnum > 0 AND NOT a.attisdropped",
      names);
  const auto columns = co_await lane.query(std::move(columns_sql), "look up the tables");
  for (const auto& row : columns)
    states.at(number(row[0]))
        .columns.emplace(row[1].value_or(""), static_cast<std::uint32_t>(number(row[2])));
  std::string indexes_sql = fmt::format(
      "SELECT t.n, c.relname FROM (VALUES {}) AS t(n, name) "
      "JOIN pg_catalog.pg_index AS i ON i.indrelid = to_regclass(t.name) "
      "JOIN pg_catalog.pg_class AS c ON c.oid = i.indexrelid WHERE i.indisvalid",
      names);
  const auto indexes = co_await lane.query(std::move(indexes_sql), "look up the indexes");
  for (const auto& row : indexes) states.at(number(row[0])).indexes.insert(row[1].value_or(""));
  co_return states;
}

std::optional<std::string> missing_column(const api::TableSpec& table, const TableState& state) {
  for (const auto& column : table.columns) {
    if (!state.columns.contains(column.name)) return column.name;
  }
  return std::nullopt;
}

bool has_number_key(const api::TableSpec& table, const TableState& state) {
  if (table.key_text) return true;
  const auto key = state.columns.find(table.key);
  return key != state.columns.end() && std::ranges::find(kNumberTypes, key->second) != kNumberTypes.end();
}

std::vector<api::ColumnType> column_types(const api::TableSpec& table, const TableState& state) {
  if (const auto missing = missing_column(table, state))
    throw DataError(
        fmt::format("table {} has no column {}: it is not one of this workload; drop or rename it, "
                    "or use --recreate",
                    table.name, *missing));
  std::vector<api::ColumnType> types;
  for (const auto& column : table.columns) {
    const std::uint32_t type = state.columns.at(column.name);
    const bool integer = column.kind == api::ColumnSpec::Kind::integer;
    if (integer && type == oid::kInt8) {
      types.push_back(api::ColumnType::int8);
    } else if (integer && type == oid::kInt4) {
      if (table.rows > std::numeric_limits<std::int32_t>::max())
        throw DataError(
            fmt::format("column {} of table {} is a 4-byte integer, too narrow for {} rows: use "
                        "--recreate",
                        column.name, table.name, api::grouped(table.rows)));
      types.push_back(api::ColumnType::int4);
    } else if (!integer && (type == oid::kText || type == oid::kVarchar || type == oid::kBpchar)) {
      types.push_back(api::ColumnType::text);
    } else {
      throw DataError(fmt::format("column {} of table {} has a type that cannot be loaded: use --recreate",
                                  column.name, table.name));
    }
  }
  return types;
}

asio::awaitable<std::vector<std::uint64_t>> reach(Lane& lane, std::span<const std::string> names,
                                                  std::string key, std::uint64_t asked) {
  if (names.empty()) co_return std::vector<std::uint64_t>();
  const std::vector<bool> cheap = co_await maximum_is_cheap(lane, names, key);
  const std::string near = asked == 0 ? " WHERE false" : " WHERE " + key_in(key, keys_near(asked));
  std::vector<std::string> statements;
  for (std::size_t i = 0; i < names.size(); ++i)
    statements.push_back(fmt::format("SELECT coalesce(max({}), 0) FROM {}{}", quote_name(key),
                                     quote_name(names[i]), cheap[i] ? "" : near));
  std::vector<std::uint64_t> ends = co_await numbers(lane, std::move(statements), "look at the rows");
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!cheap[i] && ends[i] == 0) ends[i] = co_await search_end(lane, names[i], key, KeyText());
  }
  co_return ends;
}

asio::awaitable<std::uint64_t> reach(Lane& lane, const api::TableSpec& table, std::uint64_t asked) {
  if (!table.key_text) {
    const std::vector<std::string> name{table.name};
    const auto ends = co_await reach(lane, name, table.key, asked);
    co_return ends[0];
  }
  const auto near = keys_near(asked);
  std::uint64_t end = 0;
  if (asked > 0) end = co_await highest_of(lane, table.name, table.key, table.key_text, near);
  if (end == 0) end = co_await search_end(lane, table.name, table.key, table.key_text);
  co_return end;
}

asio::awaitable<std::vector<bool>> sampled_whole(Lane& lane, std::span<const api::TableSpec> tables,
                                                 std::uint64_t chunk_rows) {
  std::vector<std::string> statements;
  std::vector<std::size_t> wanted;
  for (const auto& table : tables) {
    const auto keys = sample_keys(table.rows, chunk_rows);
    wanted.push_back(keys.size());
    statements.push_back(
        fmt::format("SELECT count(*) FROM {} WHERE {}", quote_name(table.name), rows_in(table, keys)));
  }
  const auto counts = co_await numbers(lane, std::move(statements), "look at the rows");
  std::vector<bool> whole;
  // A table that is to be empty holds whatever a run has put there.
  for (std::size_t i = 0; i < counts.size(); ++i)
    whole.push_back(tables[i].rows == 0 || counts[i] == wanted[i]);
  co_return whole;
}

std::vector<std::uint64_t> keys_near(std::uint64_t asked) {
  constexpr auto kLast = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  std::set<std::uint64_t> keys{asked};
  const std::uint64_t hundredth = asked / 100;
  for (std::uint64_t i = 1; i <= 9; ++i) keys.insert(asked - hundredth * i / 10);
  for (std::uint64_t i = 1; i <= 5; ++i) keys.insert(asked + std::min(i * i, kLast - asked));
  for (const std::uint64_t factor : {2, 3, 10, 100, 1000}) {
    if (asked <= kLast / factor) keys.insert(asked * factor);
  }
  return {keys.begin(), keys.end()};
}

std::vector<std::uint64_t> keys_between(std::uint64_t low, std::uint64_t high) {
  constexpr std::uint64_t kKeys = 20;
  std::vector<std::uint64_t> keys;
  const std::uint64_t inside = high - low - 1;
  const std::uint64_t count = std::min(inside, kKeys);
  // Quotient and remainder apart: the product alone could exceed 64 bits.
  for (std::uint64_t i = 1; i <= count; ++i)
    keys.push_back(low + (inside + 1) / (count + 1) * i + (inside + 1) % (count + 1) * i / (count + 1));
  return keys;
}

std::vector<std::uint64_t> sample_keys(std::uint64_t rows, std::uint64_t chunk_rows) {
  std::set<std::uint64_t> keys{1, rows};
  for (std::uint64_t i = 1; i <= 9; ++i) keys.insert(std::max<std::uint64_t>(1, rows / 10 * i));
  for (std::uint64_t i = 1; i <= 9 && chunk_rows * i < rows; ++i) keys.insert(rows - chunk_rows * i);
  return {keys.begin(), keys.end()};
}

bool plan_uses_index(std::span<const std::string> lines) {
  bool index = false;
  for (const auto& line : lines) {
    if (line.find("Seq Scan") != std::string::npos) return false;
    const bool scan = line.find("Scan") != std::string::npos;
    index = index || (scan && line.find("Index") != std::string::npos);
  }
  return index;
}

}  // namespace pgload::data
