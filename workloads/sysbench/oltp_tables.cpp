#include "workloads/sysbench/oltp_tables.hpp"

#include <fmt/format.h>

#include <limits>
#include <string>

#include "workloads/sysbench/statements.hpp"

namespace workloads::sysbench {

namespace {

using api::Dialect;

bool wide(const Options& options) { return options.table_size > std::numeric_limits<std::int32_t>::max(); }

/// " SPLIT AT VALUES((416),(833),…)": equal parts of the ids.
std::string split_clause(const Options& options) {
  __extension__ using Wide = __int128;
  std::string values;
  std::int64_t before = 0;
  for (std::int64_t i = 1; i < options.num_table_splits; ++i) {
    const auto value = static_cast<std::int64_t>(Wide{options.table_size} * i / options.num_table_splits);
    if (value == before) continue;  // fewer rows than tablets
    values += fmt::format("{}({})", values.empty() ? "" : ",", value);
    before = value;
  }
  return values.empty() ? "" : " SPLIT AT VALUES(" + values + ")";
}

std::string behind_columns(const Options& options, Dialect dialect) {
  const std::string& more = options.create_table_options;
  const bool ranges = dialect == Dialect::yugabyte && options.range_key_partitioning;
  const std::string split = ranges && options.manual_range_splitting ? split_clause(options) : "";
  if (!split.empty()) return split + more;
  return more.empty() ? "" : "  " + more;
}

std::string create_table(const std::string& name, const Options& options, Dialect dialect) {
  const bool big = wide(options);
  const char* integer = big ? "BIGINT" : "INTEGER";
  const char* serial = big ? "BIGSERIAL" : "SERIAL";
  if (dialect == Dialect::risingwave) {
    return fmt::format(
        "CREATE TABLE {}(\n  id {},\n  k {},\n  c VARCHAR,\n  pad VARCHAR,\n  PRIMARY KEY (id)\n){}", name,
        options.auto_inc ? serial : integer, integer, behind_columns(options, dialect));
  }
  const bool by_range = dialect == Dialect::yugabyte && options.range_key_partitioning;
  return fmt::format(
      "CREATE TABLE {}(\n"
      "  id {},\n"
      "  k {} DEFAULT '0' NOT NULL,\n"
      "  c CHAR(120) DEFAULT '' NOT NULL,\n"
      "  pad CHAR(60) DEFAULT '' NOT NULL,\n"
      "  PRIMARY KEY (id{})\n"
      "){}",
      name, options.auto_inc ? serial : std::string(integer) + " NOT NULL", integer, by_range ? " ASC" : "",
      behind_columns(options, dialect));
}

void add_indexes(api::TableSpec& table, std::int64_t number, const Options& options, Dialect dialect) {
  const auto add = [&](const std::string& index, std::string_view columns) {
    table.after_load.push_back(
        {"index " + index, fmt::format("CREATE INDEX {} ON {}{}", index, table.name, columns), index});
    if (dialect == Dialect::risingwave) table.before_drop.push_back("DROP INDEX IF EXISTS " + index);
  };
  if (options.create_secondary) add(fmt::format("k_{}", number), "(k)");
  if (dialect == Dialect::risingwave && options.create_covered_secondary)
    add(fmt::format("ck_{}", number), "(k) include(id, c, pad)");
}

void add_sequence(api::TableSpec& table, const Options& options, Dialect dialect) {
  if (!options.auto_inc || dialect == Dialect::risingwave) return;
  const bool cache = dialect == Dialect::yugabyte || options.serial_cache_size_given;
  if (cache && options.serial_cache_size > 0)
    table.after_create.push_back(
        fmt::format("ALTER SEQUENCE {}_id_seq cache {}", table.name, options.serial_cache_size));
  if (table.rows == 0) return;
  // A sequence that went on behind the rows stays there. Where there is none (sysbench's --auto_inc=off) the
  // name is NULL, and so is the result: nothing happens.
  table.after_load.push_back({"sequence of " + table.name,
                              fmt::format("SELECT setval(s, greatest({}, pg_sequence_last_value(s))) "
                                          "FROM (SELECT pg_get_serial_sequence('{}', 'id')::regclass AS s) "
                                          "AS sequence",
                                          table.rows, table.name),
                              ""});
}

void write_row(api::RowWriter& out, std::uint64_t seed, std::int64_t table, const random::Distribution& keys,
               std::uint64_t number) {
  auto random = random::row_generator(seed, static_cast<std::uint64_t>(table), number);
  const RandomText c(kTextC, random);
  const RandomText pad(kTextPad, random);
  const std::int64_t k = keys.draw(random);
  out.begin_row();
  out.integer(static_cast<std::int64_t>(number));
  out.integer(k);
  out.text(c.view());
  out.text(pad.view());
}

}  // namespace

api::TableSpec oltp_table(std::int64_t number, const Options& options, Dialect dialect) {
  using Kind = api::ColumnSpec::Kind;
  api::TableSpec table;
  table.name = table_name(options, number);
  table.rows = static_cast<std::uint64_t>(options.table_size);
  table.key = "id";
  table.columns = {{"id", Kind::integer}, {"k", Kind::integer}, {"c", Kind::text}, {"pad", Kind::text}};
  if (!options.skip_ddl) {
    table.create = create_table(table.name, options, dialect);
    add_indexes(table, number, options, dialect);
  }
  add_sequence(table, options, dialect);
  const random::Distribution keys(options.keys, 1, options.table_size);
  table.write_row = [number, keys](api::RowWriter& out, std::uint64_t seed, std::uint64_t row) {
    write_row(out, seed, number, keys, row);
  };
  return table;
}

}  // namespace workloads::sysbench
