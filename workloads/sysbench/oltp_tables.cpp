#include "workloads/sysbench/oltp_tables.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <string_view>

#include "workloads/random/text_template.hpp"

namespace workloads::sysbench {

namespace {

constexpr std::string_view kTextC =
    "###########-###########-###########-###########-###########-"
    "###########-###########-###########-###########-###########";
constexpr std::string_view kTextPad = "###########-###########-###########-###########-###########";
static_assert(kTextC.size() == 119 && kTextPad.size() == 59);

void write_row(api::RowWriter& out, std::uint64_t seed, std::int64_t table, std::int64_t rows,
               std::uint64_t number) {
  auto random = random::row_generator(seed, static_cast<std::uint64_t>(table), number);
  std::array<char, kTextC.size()> c;
  std::array<char, kTextPad.size()> pad;
  random::fill_template(kTextC, random, c);
  random::fill_template(kTextPad, random, pad);
  out.begin_row();
  out.integer(static_cast<std::int64_t>(number));
  out.integer(random.between(1, rows));
  out.text({c.data(), c.size()});
  out.text({pad.data(), pad.size()});
}

std::string create_table(const std::string& name, std::int64_t rows) {
  const bool wide = rows > std::numeric_limits<std::int32_t>::max();
  return fmt::format(
      "CREATE TABLE {} (\n"
      "  id {},\n"
      "  k {} DEFAULT '0' NOT NULL,\n"
      "  c CHAR(120) DEFAULT '' NOT NULL,\n"
      "  pad CHAR(60) DEFAULT '' NOT NULL,\n"
      "  PRIMARY KEY (id)\n"
      ")",
      name, wide ? "BIGSERIAL" : "SERIAL", wide ? "BIGINT" : "INTEGER");
}

}  // namespace

std::string table_name(std::int64_t number) { return fmt::format("sbtest{}", number); }

api::TableSpec oltp_table(std::int64_t number, std::int64_t rows) {
  using Kind = api::ColumnSpec::Kind;
  api::TableSpec table;
  table.name = table_name(number);
  table.rows = static_cast<std::uint64_t>(rows);
  table.key = "id";
  table.columns = {{"id", Kind::integer}, {"k", Kind::integer}, {"c", Kind::text}, {"pad", Kind::text}};
  table.create = create_table(table.name, rows);
  const std::string index = fmt::format("k_{}", number);
  table.after_load = {
      {"index " + index, fmt::format("CREATE INDEX {} ON {}(k)", index, table.name), index},
      // A sequence that went on behind the rows stays there. Where there is none (sysbench's --auto_inc=off)
      // the
      // name is NULL, and so is the result: nothing happens.
      {"sequence of " + table.name,
       fmt::format("SELECT setval(s, greatest({}, pg_sequence_last_value(s))) "
                   "FROM (SELECT pg_get_serial_sequence('{}', 'id')::regclass AS s) AS sequence",
                   rows, table.name),
       ""}};
  table.write_row = [number, rows](api::RowWriter& out, std::uint64_t seed, std::uint64_t row) {
    write_row(out, seed, number, rows, row);
  };
  return table;
}

}  // namespace workloads::sysbench
