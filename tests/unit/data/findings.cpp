#include "src/data/findings.hpp"

#include <doctest/doctest.h>

#include "src/data/data.hpp"

using namespace pgload::data;

namespace {

using Names = std::vector<std::string>;
using Ends = std::vector<std::uint64_t>;

Names notes_of(const Names& names, const Ends& ends, std::uint64_t asked) {
  Names notes;
  judge_rows(names, ends, asked, notes);
  return notes;
}

}  // namespace

TEST_CASE("a family ends at its first gap") {
  CHECK(unbroken(Names{}) == 0);
  CHECK(unbroken(Names{"2", "1", "3"}) == 3);
  CHECK(unbroken(Names{"1", "2", "4"}) == 2);
  CHECK(unbroken(Names{"2", "3"}) == 0);
  CHECK(unbroken(Names{"1", "02", "x", "", "2a", "99999999999999999999"}) == 1);
}

TEST_CASE("a prefix matches itself only") {
  CHECK(like_prefix("sbtest") == "sbtest%");
  CHECK(like_prefix("a_b%c\\") == "a\\_b\\%c\\\\%");
}

TEST_CASE("as many rows as asked: nothing to say") {
  CHECK(notes_of({"t1", "t2"}, {1000, 1000}, 1000).empty());
}

TEST_CASE("clearly fewer rows are refused, with the table, both numbers and the remedy") {
  CHECK_THROWS_WITH_AS(
      notes_of({"t1", "t2"}, {10'000, 5'000}, 10'000),
      "table t2 has about 5,000 rows, 10,000 asked: run `pgload prepare` first, or ask for fewer", DataError);
  CHECK_THROWS_AS(notes_of({"t1"}, {0}, 1), DataError);
  CHECK_THROWS_AS(notes_of({"t1"}, {989}, 1000), DataError);
}

TEST_CASE("a few missing at the end, or more than asked, get one note for all tables") {
  CHECK(notes_of({"t1"}, {990}, 1000) ==
        Names{"t1 has a few rows less than asked (up to 990 of 1,000): some reads may find nothing"});
  CHECK(notes_of({"t1"}, {2000}, 1000) ==
        Names{"t1 has more rows than asked (at least 2,000): only the first 1,000 are used"});
  CHECK(
      notes_of({"t1", "t2", "t3"}, {1000, 2000, 3000}, 1000) ==
      Names{"t2 and 1 more table have more rows than asked (at least 2,000): only the first 1,000 are used"});
  CHECK(notes_of({"t1", "t2", "t3"}, {1001, 1002, 1003}, 1000)[0].starts_with("t1 and 2 more tables have"));
}
