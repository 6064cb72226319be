#include "workloads/sysbench/oltp_tables.hpp"

#include <doctest/doctest.h>

#include <array>
#include <map>

#include "proto_pg/wire/send_buffer.hpp"

using namespace workloads;

namespace {

using api::ColumnType;

constexpr std::array kNarrow{ColumnType::int4, ColumnType::int4, ColumnType::text, ColumnType::text};
constexpr std::array kWide{ColumnType::int8, ColumnType::int8, ColumnType::text, ColumnType::text};

std::string row(const api::TableSpec& table, std::span<const ColumnType> types, std::uint64_t seed,
                std::uint64_t number) {
  proto_pg::wire::SendBuffer buffer;
  proto_pg::wire::CopyBinaryWriter format(buffer);
  api::CopyRowWriter writer(format, types);
  table.write_row(writer, seed, number);
  return std::string(buffer.view());
}

sysbench::Options options_of(const std::map<std::string, std::string>& given) {
  return sysbench::Options(api::OptionValues(sysbench::all_options(), given));
}

api::TableSpec oltp_table(std::int64_t number, std::int64_t rows) {
  return sysbench::oltp_table(number, options_of({{"table-size", std::to_string(rows)}}),
                              api::Dialect::postgres);
}

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char c : bytes) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}

/// "12345678901-12345678901": groups of 11 digits.
bool grouped_digits(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (i % 12 == 11 ? text[i] != '-' : !digit) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("tables are those of sysbench") {
  const auto table = oltp_table(7, 100'000);
  CHECK(table.name == "sbtest7");
  CHECK(table.key == "id");
  CHECK(table.create ==
        "CREATE TABLE sbtest7(\n"
        "  id SERIAL,\n"
        "  k INTEGER DEFAULT '0' NOT NULL,\n"
        "  c CHAR(120) DEFAULT '' NOT NULL,\n"
        "  pad CHAR(60) DEFAULT '' NOT NULL,\n"
        "  PRIMARY KEY (id)\n"
        ")");
  REQUIRE(table.after_load.size() == 2);
  CHECK(table.after_load[0].sql == "CREATE INDEX k_7 ON sbtest7(k)");
  CHECK(table.after_load[0].index == "k_7");
  CHECK(table.after_load[1].sql.find("'sbtest7', 'id'") != std::string::npos);
}

TEST_CASE("more rows than 32 bits number get wider columns") {
  CHECK(oltp_table(1, 2'147'483'647).create.find("BIG") == std::string::npos);
  const auto large = oltp_table(1, 2'147'483'648).create;
  CHECK(large.find("id BIGSERIAL") != std::string::npos);
  CHECK(large.find("k BIGINT") != std::string::npos);
}

TEST_CASE("a row is id, k, c and pad, as wide as the columns are") {
  const auto table = oltp_table(1, 1000);
  const auto narrow = row(table, kNarrow, 1, 77);
  REQUIRE(narrow.size() == 2 + 8 + 8 + 4 + 119 + 4 + 59);
  CHECK(big_endian(narrow.substr(0, 2)) == 4);
  CHECK(big_endian(narrow.substr(2, 4)) == 4);
  CHECK(big_endian(narrow.substr(6, 4)) == 77);
  const auto k = big_endian(narrow.substr(14, 4));
  CHECK(k >= 1);
  CHECK(k <= 1000);
  CHECK(grouped_digits(narrow.substr(22, 119)));
  CHECK(grouped_digits(narrow.substr(145, 59)));

  const auto wide = row(table, kWide, 1, 77);
  REQUIRE(wide.size() == narrow.size() + 8);
  CHECK(big_endian(wide.substr(2, 4)) == 8);
  CHECK(big_endian(wide.substr(6, 8)) == 77);
  CHECK(big_endian(wide.substr(18, 8)) == k);
  CHECK(wide.substr(26) == narrow.substr(18));
}

TEST_CASE("ids and k beyond 32 bits") {
  const auto table = oltp_table(1, 9'000'000'000'000'000'000);
  const auto bytes = row(table, kWide, 5, 8'999'999'999'999'999'999u);
  CHECK(big_endian(bytes.substr(6, 8)) == 8'999'999'999'999'999'999u);
  CHECK(big_endian(bytes.substr(18, 8)) > std::uint64_t{1} << 32);
}

TEST_CASE("a row is a function of seed, table and number alone") {
  const auto one = oltp_table(1, 1000);
  const auto two = oltp_table(2, 1000);
  CHECK(row(one, kNarrow, 1, 5) == row(oltp_table(1, 1000), kNarrow, 1, 5));
  CHECK(row(one, kNarrow, 1, 5) != row(one, kNarrow, 2, 5));
  CHECK(row(one, kNarrow, 1, 5).substr(14) != row(one, kNarrow, 1, 6).substr(14));
  CHECK(row(one, kNarrow, 1, 5) != row(two, kNarrow, 1, 5));
}

TEST_CASE("--auto-inc off, --create-secondary off, --create-table-options, --table-prefix") {
  const auto options = options_of({{"auto-inc", "off"},
                                   {"create-secondary", "off"},
                                   {"create-table-options", "WITH (fillfactor=70)"},
                                   {"table-prefix", "load"}});
  const auto table = sysbench::oltp_table(2, options, api::Dialect::postgres);
  CHECK(table.name == "load2");
  CHECK(table.create.find("  id INTEGER NOT NULL,\n") != std::string::npos);
  CHECK(table.create.ends_with("\n)  WITH (fillfactor=70)"));
  CHECK(table.after_load.empty());
  CHECK(sysbench::oltp_table(1, options_of({{"table-prefix", "sbtest!"}}), api::Dialect::postgres).name ==
        "sbtest");
  CHECK_THROWS_AS(options_of({{"table-prefix", "sbtest!"}, {"tables", "2"}}), api::OptionError);
}

TEST_CASE("YugabyteDB: key by range with its splits, cache of the sequence") {
  const auto hashed = sysbench::oltp_table(3, options_of({}), api::Dialect::yugabyte);
  CHECK(hashed.create.ends_with("  PRIMARY KEY (id)\n)"));
  CHECK(hashed.after_create == std::vector<std::string>{"ALTER SEQUENCE sbtest3_id_seq cache 1000"});
  const auto ranged =
      sysbench::oltp_table(3, options_of({{"range-key-partitioning", "on"}}), api::Dialect::yugabyte);
  CHECK(ranged.create.ends_with(
      "  PRIMARY KEY (id ASC)\n) SPLIT AT VALUES((416),(833),(1250),(1666),(2083),(2500),"
      "(2916),(3333),(3750),(4166),(4583),(5000),(5416),(5833),(6250),(6666),(7083),(7500),"
      "(7916),(8333),(8750),(9166),(9583))"));
  const auto whole = sysbench::oltp_table(
      1,
      options_of(
          {{"range-key-partitioning", "on"}, {"manual-range-splitting", "off"}, {"serial-cache-size", "0"}}),
      api::Dialect::yugabyte);
  CHECK(whole.create.ends_with("  PRIMARY KEY (id ASC)\n)"));
  CHECK(whole.after_create.empty());
  // Fewer rows than tablets: each value once.
  const auto tiny = sysbench::oltp_table(
      1, options_of({{"range-key-partitioning", "on"}, {"table-size", "3"}}), api::Dialect::yugabyte);
  CHECK(tiny.create.ends_with("SPLIT AT VALUES((1),(2))"));
}

TEST_CASE("RisingWave: texts of any length, a covering index, nothing of sequences") {
  auto options = options_of({{"auto-inc", "off"}});
  const auto table = sysbench::oltp_table(4, options, api::Dialect::risingwave);
  CHECK(table.create ==
        "CREATE TABLE sbtest4(\n  id INTEGER,\n  k INTEGER,\n  c VARCHAR,\n  pad VARCHAR,\n"
        "  PRIMARY KEY (id)\n)");
  REQUIRE(table.after_load.size() == 2);
  CHECK(table.after_load[0].sql == "CREATE INDEX k_4 ON sbtest4(k)");
  CHECK(table.after_load[1].sql == "CREATE INDEX ck_4 ON sbtest4(k) include(id, c, pad)");
  CHECK(table.before_drop ==
        std::vector<std::string>{"DROP INDEX IF EXISTS k_4", "DROP INDEX IF EXISTS ck_4"});
  options.skip_ddl = true;
  CHECK(sysbench::oltp_table(4, options, api::Dialect::risingwave).create.empty());
}
