#include "src/data/table_plan.hpp"

#include <doctest/doctest.h>

using namespace pgload::data;

namespace {

Action decided_without_ddl(TableFacts facts) {
  workloads::api::TableSpec table;
  table.name = "sbtest1";
  table.rows = 10'000;
  return decide_one(table, facts, {});
}

Action decided(TableFacts facts, bool recreate = false, bool resume = false) {
  workloads::api::TableSpec table;
  table.name = "sbtest1";
  table.rows = 10'000;
  table.create = "CREATE TABLE sbtest1 (id integer)";
  PreparePlan plan;
  plan.recreate = recreate;
  plan.resume = resume;
  return decide_one(table, facts, plan);
}

constexpr TableFacts kMissing{};
constexpr TableFacts kWhole{true, true, true, 0};
constexpr TableFacts kHalf{true, false, false, 4'000};
constexpr TableFacts kNoIndex{true, true, false, 0};

}  // namespace

TEST_CASE("a missing table is made whatever the plan") {
  CHECK(decided(kMissing) == Action::create);
  CHECK(decided(kMissing, true) == Action::create);
  CHECK(decided(kMissing, false, true) == Action::create);
}

TEST_CASE("a whole table is kept, unless it is to be made anew; a resumed one is looked at chunk by chunk") {
  CHECK(decided(kWhole) == Action::keep);
  CHECK(decided(kWhole, true) == Action::recreate);
  CHECK(decided(kWhole, false, true) == Action::resume);
}

TEST_CASE("half a table is refused, with the ways on") {
  CHECK_THROWS_WITH_AS(decided(kHalf),
                       "table sbtest1 exists with about 4,000 rows, 10,000 asked:\n"
                       "use --resume (fills what is missing), --recreate, or pgload cleanup",
                       DataError);
  CHECK_THROWS_WITH_AS(decided(kNoIndex),
                       "table sbtest1 exists without its index:\n"
                       "use --resume (fills what is missing), --recreate, or pgload cleanup",
                       DataError);
  CHECK(decided(kHalf, true) == Action::recreate);
  CHECK(decided(kHalf, false, true) == Action::resume);
}

TEST_CASE("without DDL an empty table is filled, and a missing one refused") {
  CHECK(decided_without_ddl({true, false, true, 0}) == Action::resume);
  CHECK(decided_without_ddl(kWhole) == Action::keep);
  CHECK_THROWS_WITH_AS(decided_without_ddl(kMissing),
                       "table sbtest1 does not exist, and --skip-ddl makes none", DataError);
  CHECK_THROWS_AS(decided_without_ddl(kHalf), DataError);
}
