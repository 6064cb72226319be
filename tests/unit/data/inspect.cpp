#include "src/data/inspect.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

using namespace pgload::data;
namespace api = workloads::api;

namespace {

constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

using Keys = std::vector<std::uint64_t>;

bool ascending(const Keys& keys) {
  return std::ranges::adjacent_find(keys, std::greater_equal()) == keys.end();
}

api::TableSpec table_of(std::uint64_t rows) {
  api::TableSpec table;
  table.name = "t";
  table.rows = rows;
  table.key = "id";
  table.columns = {{"id", api::ColumnSpec::Kind::integer}, {"c", api::ColumnSpec::Kind::text}};
  return table;
}

TableState state_of(std::uint32_t id_type, std::uint32_t c_type) {
  TableState state;
  state.columns = {{"id", id_type}, {"c", c_type}, {"extra", 16}};
  return state;
}

}  // namespace

TEST_CASE("keys near the end lie in its last hundredth, the end among them, and beyond") {
  for (const std::uint64_t asked : {std::uint64_t{1}, std::uint64_t{10}, std::uint64_t{10'000},
                                    std::uint64_t{5'000'000'000}, kMost - 3, kMost}) {
    const Keys keys = keys_near(asked);
    CHECK(ascending(keys));
    CHECK(keys.size() <= 20);
    CHECK(keys.front() >= asked - asked / 100);
    CHECK(keys.front() >= 1);
    CHECK(keys.back() <= kMost);
    CHECK(std::ranges::count(keys, asked) == 1);
    if (asked < kMost) CHECK(keys.back() > asked);
  }
}

TEST_CASE("keys between two bounds are inside, ascending, at most twenty") {
  CHECK(keys_between(4, 5).empty());
  CHECK(keys_between(4, 6) == Keys{5});
  CHECK(keys_between(4, 8) == Keys{5, 6, 7});
  for (const auto& [low, high] : {std::pair<std::uint64_t, std::uint64_t>{1, 25},
                                  {1024, 2048},
                                  {1, kMost},
                                  {kMost - 30, kMost},
                                  {std::uint64_t{1} << 62, kMost}}) {
    const Keys keys = keys_between(low, high);
    CHECK(keys.size() == 20);
    CHECK(ascending(keys));
    CHECK(keys.front() > low);
    CHECK(keys.back() < high);
    // None of the parts is much larger than a 21st: each question narrows the search twentyfold.
    CHECK(keys.front() - low <= (high - low) / 10 + 1);
    CHECK(high - keys.back() <= (high - low) / 10 + 1);
  }
}

TEST_CASE("samples hold the first and the last row and the borders of the last chunks") {
  CHECK(sample_keys(1, 100'000) == Keys{1});
  CHECK(sample_keys(2, 100'000) == Keys{1, 2});
  const Keys keys = sample_keys(1'000'000, 100'000);
  CHECK(ascending(keys));
  CHECK(keys.front() == 1);
  CHECK(keys.back() == 1'000'000);
  CHECK(std::ranges::count(keys, 900'000u) == 1);
  CHECK(sample_keys(kMost, 100'000).back() == kMost);
  CHECK(sample_keys(kMost, 100'000).size() == 20);
}

TEST_CASE("an index scan in the plan, and no sequential one") {
  using Lines = std::vector<std::string>;
  CHECK(plan_uses_index(Lines{"Result  (cost=0.45..0.46 rows=1 width=4)", "  InitPlan 1 (returns $0)",
                              "    ->  Limit",
                              "          ->  Index Only Scan Backward using sbtest1_pkey on sbtest1"}));
  CHECK_FALSE(plan_uses_index(Lines{"Aggregate", "  ->  Seq Scan on sbtest1"}));
  CHECK_FALSE(plan_uses_index(
      Lines{"Aggregate", "  ->  Append", "    ->  Index Scan on a", "    ->  Seq Scan on b"}));
  CHECK_FALSE(plan_uses_index(Lines{}));
}

TEST_CASE("the table's own columns decide how values are written") {
  using Types = std::vector<api::ColumnType>;
  CHECK(column_types(table_of(10), state_of(23, 1042)) ==
        Types{api::ColumnType::int4, api::ColumnType::text});
  CHECK(column_types(table_of(10), state_of(20, 1043)) ==
        Types{api::ColumnType::int8, api::ColumnType::text});
  CHECK(column_types(table_of(3'000'000'000), state_of(20, 25)) ==
        Types{api::ColumnType::int8, api::ColumnType::text});
}

TEST_CASE("columns that cannot be loaded are named") {
  CHECK_THROWS_WITH_AS(
      column_types(table_of(3'000'000'000), state_of(23, 25)),
      "column id of table t is a 4-byte integer, too narrow for 3,000,000,000 rows: use --recreate",
      DataError);
  CHECK_THROWS_WITH_AS(column_types(table_of(1), state_of(1700, 25)),
                       "column id of table t has a type that cannot be loaded: use --recreate", DataError);
  CHECK_THROWS_WITH_AS(column_types(table_of(1), state_of(23, 23)),
                       "column c of table t has a type that cannot be loaded: use --recreate", DataError);
  TableState other;
  other.columns = {{"id", 23}};
  CHECK(missing_column(table_of(1), other) == "c");
  CHECK_THROWS_AS(column_types(table_of(1), other), DataError);
}
