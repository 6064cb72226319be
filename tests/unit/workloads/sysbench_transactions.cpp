// What a transaction of each workload sends, statement by statement.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "tests/support/recorded_session.hpp"
#include "workloads/registry.hpp"

using namespace workloads;
using support::RecordedSession;

namespace {

using Given = std::map<std::string, std::string>;
using Lines = std::vector<std::string>;

std::unique_ptr<api::Workload> workload(const std::string& name, const Given& given = {},
                                        api::Dialect dialect = api::Dialect::postgres) {
  const auto* descriptor = find(name);
  REQUIRE(descriptor);
  auto made = descriptor->make(api::OptionValues(descriptor->options, given));
  made->speak(dialect);
  return made;
}

/// Numbers as N, texts as T: "SELECT c FROM sbtest2 WHERE id=17" -> "SELECT c FROM sbtest WHERE id=N".
std::string shape(const std::string& sql) {
  std::string text = std::regex_replace(sql, std::regex("sbtest[0-9]+"), "sbtest");
  text = std::regex_replace(text, std::regex("'[^']*'"), "T");
  return std::regex_replace(text, std::regex(R"(\b[0-9]+\b)"), "N");
}

Lines shapes(const Lines& queries) {
  Lines list;
  for (const auto& sql : queries) list.push_back(shape(sql));
  return list;
}

Lines times(std::size_t count, const std::string& line) { return Lines(count, line); }

Lines operator+(Lines left, const Lines& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

Lines shapes_of(const std::string& name, const Given& given = {}) {
  const auto made = workload(name, given);
  return shapes(RecordedSession(*made).transaction());
}

const Lines kBegin{"BEGIN"}, kCommit{"COMMIT"};
const std::string kPoint = "SELECT c FROM sbtest WHERE id=N";
const std::string kSimple = "SELECT c FROM sbtest WHERE id BETWEEN N AND N";
const std::string kSum = "SELECT SUM(k) FROM sbtest WHERE id BETWEEN N AND N";
const std::string kOrder = "SELECT c FROM sbtest WHERE id BETWEEN N AND N ORDER BY c";
const std::string kDistinct = "SELECT DISTINCT c FROM sbtest WHERE id BETWEEN N AND N ORDER BY c";
const std::string kIndexUpdate = "UPDATE sbtest SET k=k+N WHERE id=N";
const std::string kNonIndexUpdate = "UPDATE sbtest SET c=T WHERE id=N";
const std::string kDelete = "DELETE FROM sbtest WHERE id=N";

/// Where an option's count shows: all texts of a group name one table.
std::set<std::string> tables_in(const Lines& queries) {
  std::set<std::string> tables;
  const std::regex name("sbtest[0-9]+");
  for (const auto& sql : queries) {
    std::smatch found;
    if (std::regex_search(sql, found, name)) tables.insert(found.str());
  }
  return tables;
}

}  // namespace

TEST_CASE("oltp_read_only") {
  CHECK(shapes_of("oltp_read_only") ==
        kBegin + times(10, kPoint) + Lines{kSimple, kSum, kOrder, kDistinct} + kCommit);
  CHECK(shapes_of("oltp_read_only", {{"range-selects", "off"}, {"point-selects", "3"}}) ==
        kBegin + times(3, kPoint) + kCommit);
  CHECK(shapes_of("oltp_read_only", {{"skip-trx", "on"},
                                     {"point-selects", "0"},
                                     {"simple-ranges", "2"},
                                     {"sum-ranges", "0"},
                                     {"order-ranges", "3"},
                                     {"distinct-ranges", "1"}}) ==
        times(2, kSimple) + times(3, kOrder) + Lines{kDistinct});
}

TEST_CASE("with all counts 0, BEGIN and COMMIT are still sent") {
  CHECK(shapes_of("oltp_read_only", {{"range-selects", "off"}, {"point-selects", "0"}}) == kBegin + kCommit);
}

TEST_CASE("oltp_read_write and oltp_write_only") {
  const Lines writes{kIndexUpdate, kNonIndexUpdate, kDelete,
                     "INSERT INTO sbtest (id, k, c, pad) VALUES (N, N, T, T)"};
  CHECK(shapes_of("oltp_read_write") ==
        kBegin + times(10, kPoint) + Lines{kSimple, kSum, kOrder, kDistinct} + writes + kCommit);
  Lines write_only = shapes_of("oltp_write_only",
                               {{"index-updates", "2"}, {"non-index-updates", "3"}, {"delete-inserts", "0"}});
  CHECK(write_only == kBegin + times(2, kIndexUpdate) + times(3, kNonIndexUpdate) + kCommit);
}

TEST_CASE("an insert follows the delete of the same id, with values as the loader makes them") {
  const auto made = workload("oltp_write_only", {{"index-updates", "0"}, {"non-index-updates", "0"}});
  RecordedSession recorded(*made);
  for (int i = 0; i < 20; ++i) {
    const Lines sent = recorded.transaction();
    REQUIRE(sent.size() == 4);
    std::smatch deleted, inserted;
    REQUIRE(std::regex_match(sent[1], deleted, std::regex("DELETE FROM sbtest1 WHERE id=([0-9]+)")));
    REQUIRE(std::regex_match(
        sent[2], inserted,
        std::regex(
            R"(INSERT INTO sbtest1 \(id, k, c, pad\) VALUES \(([0-9]+), ([0-9]+), '([0-9-]{119})', '([0-9-]{59})'\))")));
    CHECK(deleted[1] == inserted[1]);
    CHECK(inserted[3].str()[11] == '-');
  }
}

TEST_CASE("workloads of single statements") {
  CHECK(shapes_of("oltp_point_select") == Lines{kPoint});
  CHECK(shapes_of("oltp_delete") == Lines{kDelete});
  CHECK(shapes_of("oltp_update_index") == Lines{kIndexUpdate});
  CHECK(shapes_of("oltp_update_index", {{"index-updates", "10"}}) == times(10, kIndexUpdate));
  CHECK(shapes_of("oltp_update_non_index", {{"non-index-updates", "10"}}) == times(10, kNonIndexUpdate));
  CHECK(shapes_of("oltp_simple_ranges", {{"simple-ranges", "2"}}) == times(2, kSimple));
  CHECK(shapes_of("oltp_sum_scan") == Lines{kSum});
  CHECK(shapes_of("oltp_primarykey_scan") == Lines{kOrder});
  CHECK(shapes_of("oltp_count_all", {{"count-alls", "3"}}) == times(3, "SELECT COUNT(*) FROM sbtest"));
  CHECK(shapes_of("select_one") == Lines{"select N"});
  const auto scan = workload("oltp_sequential_scan", {{"range-size", "77"}});
  CHECK(RecordedSession(*scan).transaction() == Lines{"SELECT c FROM sbtest1 Limit 77"});
  CHECK(
      shapes_of("load_test", {{"tables", "3"}}) ==
      Lines{"SELECT count(*) FROM sbtest t1 join sbtest t2 on t1.id = t2.id join sbtest t3 on t2.id = t3.id "
            "WHERE t1.id = N"});
}

TEST_CASE("a range has range-size ids and ends where the id's type does") {
  const auto made =
      workload("oltp_simple_ranges", {{"table-size", "2147483647"}, {"range-size", "2000000000"}});
  RecordedSession recorded(*made);
  for (int i = 0; i < 50; ++i) {
    std::smatch found;
    const std::string sql = recorded.transaction().at(0);
    REQUIRE(std::regex_search(sql, found, std::regex("BETWEEN ([0-9]+) AND ([0-9]+)")));
    const auto low = std::stoll(found[1]), high = std::stoll(found[2]);
    CHECK(high == std::min(low + 1'999'999'999, 2'147'483'647LL));
  }
}

TEST_CASE(
    "oltp_insert: literals whatever the protocol; ids of all sessions differ, and follow from the seed") {
  const auto made = workload("oltp_insert");
  CHECK(made->statements().at(0).sending == api::Sending::literals);
  const std::regex automatic(
      R"(INSERT INTO sbtest1 \(k, c, pad\) VALUES \([0-9]+, '[0-9-]{119}', '[0-9-]{59}'\))");
  CHECK(std::regex_match(RecordedSession(*made).transaction().at(0), automatic));

  const auto own = workload("oltp_insert", {{"auto-inc", "off"}});
  std::set<std::string> ids;
  for (std::uint32_t number = 0; number < 4; ++number) {
    RecordedSession recorded(*own, 42, number, 4);
    for (int i = 0; i < 100; ++i) {
      std::smatch found;
      const std::string sql = recorded.transaction().at(0);
      REQUIRE(
          std::regex_search(sql, found, std::regex(R"(\(id, k, c, pad\) VALUES \((-?[0-9]+), [0-9]+, ')")));
      ids.insert(found[1]);
    }
  }
  CHECK(ids.size() == 400);
}

TEST_CASE("select_random_*: the texts of the original, on the first table, from the session's slice") {
  const auto points = workload("select_random_points", {{"random-points", "3"}, {"tables", "5"}});
  CHECK(std::regex_match(RecordedSession(*points).transaction().at(0),
                         std::regex("        SELECT id, k, c, pad\n          FROM sbtest1\n          WHERE k "
                                    "IN \\([0-9]+, [0-9]+, [0-9]+\\)\n        ")));
  const auto ranges = workload("select_random_ranges", {{"number-of-ranges", "2"}, {"delta", "7"}});
  std::smatch found;
  const std::string sql = RecordedSession(*ranges).transaction().at(0);
  REQUIRE(std::regex_match(
      sql, found,
      std::regex("        SELECT count\\(k\\)\n          FROM sbtest1\n          WHERE k BETWEEN "
                 "([0-9]+) AND ([0-9]+) OR k BETWEEN ([0-9]+) AND ([0-9]+)")));
  CHECK(std::stoll(found[2]) == std::stoll(found[1]) + 7);
  CHECK(std::stoll(found[4]) == std::stoll(found[3]) + 7);
  const auto limits = workload("select_random_limits");
  CHECK(RecordedSession(*limits).transaction() ==
        Lines{"        SELECT *\n          FROM sbtest1\n          LIMIT 10"});

  const auto one = workload("select_random_points", {{"random-points", "1"}, {"table-size", "1000"}});
  for (std::uint32_t number = 0; number < 3; ++number) {
    RecordedSession recorded(*one, 7, number, 3);
    std::int64_t low = 1000, high = 0;
    for (int i = 0; i < 3000; ++i) {
      std::smatch key;
      const std::string text = recorded.transaction().at(0);
      std::regex_search(text, key, std::regex(R"(IN \(([0-9]+)\))"));
      low = std::min<std::int64_t>(low, std::stoll(key[1]));
      high = std::max<std::int64_t>(high, std::stoll(key[1]));
    }
    CHECK(low == 1000 * number / 3);
    CHECK(high == 1000 * (number + 1) / 3);
  }
}

TEST_CASE("the table is drawn once for each group") {
  const auto made =
      workload("oltp_read_only", {{"tables", "50"}, {"skip-trx", "on"}, {"simple-ranges", "5"}});
  RecordedSession recorded(*made);
  std::set<std::string> seen;
  bool differ = false;
  for (int i = 0; i < 30; ++i) {
    const Lines sent = recorded.transaction();
    const Lines points(sent.begin(), sent.begin() + 10), simple(sent.begin() + 10, sent.begin() + 15);
    CHECK(tables_in(points).size() == 1);
    CHECK(tables_in(simple).size() == 1);
    differ = differ || tables_in(points) != tables_in(simple);
    seen.merge(tables_in(points));
  }
  CHECK(differ);
  CHECK(seen.size() > 15);
}

TEST_CASE("the same seed sends the same statements, another seed or session others") {
  for (const auto& descriptor : registry()) {
    if (descriptor.name == "idleconnection") continue;
    CAPTURE(descriptor.name);
    const auto made = workload(descriptor.name);
    RecordedSession one(*made, 1, 0, 2), same(*made, 1, 0, 2), other(*made, 2, 0, 2),
        neighbour(*made, 1, 1, 2);
    Lines first, second, third, fourth;
    for (int i = 0; i < 3; ++i) {
      first = first + one.transaction();
      second = second + same.transaction();
      third = third + other.transaction();
      fourth = fourth + neighbour.transaction();
    }
    CHECK(first == second);
    const bool draws = !std::set<std::string>{"bulk_insert", "select_one", "select_random_limits",
                                              "oltp_count_all", "oltp_sequential_scan"}
                            .contains(descriptor.name);
    CHECK((first != third) == draws);
    CHECK((first != fourth) == draws);
  }
}

TEST_CASE("oltp_multi_insert: all rows into one table, in a transaction") {
  const auto made = workload("oltp_multi_insert", {{"tables", "30"}});
  const Lines sent = RecordedSession(*made).transaction();
  REQUIRE(sent.size() == 12);
  CHECK(tables_in(sent).size() == 1);
  CHECK(sent[1].find(" (k, c, pad) VALUES (") != std::string::npos);
  const auto own =
      workload("oltp_multi_insert", {{"auto-inc", "off"}, {"num-rows-in-insert", "2"}, {"skip-trx", "on"}});
  CHECK(RecordedSession(*own).transaction().at(1).find(" (id, k, c, pad) VALUES (") != std::string::npos);
}

TEST_CASE(
    "oltp_multi_value_insert: 4000 rows fill two statements of at most 512 KiB, one if they are short") {
  const auto rows = [](const std::string& sql) { return std::ranges::count(sql, '('); };
  const auto made = workload("oltp_multi_value_insert", {{"tables", "9"}});
  const Lines sent = RecordedSession(*made).transaction();
  REQUIRE(sent.size() == 2);
  CHECK(tables_in(sent).size() == 1);
  CHECK(rows(sent[0]) - 1 + rows(sent[1]) - 1 == 4000);
  CHECK(sent[0].size() < 524'288);
  CHECK(sent[0].size() > 524'288 - 200);
  CHECK(std::regex_match(
      sent[1].substr(0, 300).substr(0, sent[1].find(')', 35) + 1),
      std::regex(R"(INSERT INTO sbtest[0-9]\(k, c, pad\) VALUES\([0-9]+, '[0-9-]{119}', '[0-9-]{59}'\))")));
  const auto small = workload("oltp_multi_value_insert", {{"smaller-row-sizes", "on"}});
  CHECK(RecordedSession(*small).transaction().size() == 1);
  CHECK_THROWS_AS(workload("oltp_multi_value_insert", {{"auto-inc", "off"}}), api::OptionError);
}

TEST_CASE("bulk_insert: a transaction is a row; 100,000 rows of two sessions are four statements") {
  const auto made = workload("bulk_insert", {{"tables", "2"}});
  for (std::uint32_t number = 0; number < 2; ++number) {
    RecordedSession recorded(*made, 1, number, 2);
    Lines sent;
    for (int i = 0; i < 50'000; ++i) sent = sent + recorded.transaction();
    sent = sent + recorded.finish();
    REQUIRE(sent.size() == 2);
    const std::string head = fmt::format("INSERT INTO sbtest{} VALUES", number + 1);
    CHECK(sent[0].starts_with(head + "(1,1),(2,2),(3,3)"));
    CHECK(sent[0].size() < 524'288);
    CHECK(sent[1].starts_with(head));
    CHECK(sent[1].ends_with("(50000,50000)"));
    CHECK(recorded.finish().empty());
  }
}

TEST_CASE("bulk_insert: sessions that share a table number its rows in turn, behind those that are there") {
  const auto made = workload("bulk_insert");
  made->adopt({1, 70, 70});
  RecordedSession first(*made, 1, 0, 3), last(*made, 1, 2, 3);
  for (RecordedSession* each : {&first, &last})
    for (int i = 0; i < 2; ++i) CHECK(each->transaction().empty());
  CHECK(first.finish() == Lines{"INSERT INTO sbtest1 VALUES(71,71),(74,74)"});
  CHECK(last.finish() == Lines{"INSERT INTO sbtest1 VALUES(73,73),(76,76)"});
}

TEST_CASE("oltp_join: one partner for each table and session, and only those pairs are prepared") {
  const auto made = workload("oltp_join", {{"tables", "5"}});
  RecordedSession recorded(*made);
  std::map<std::string, std::set<std::string>> partners;
  const std::regex pair(
      "SELECT t1.c, t2.c FROM (sbtest[1-5]) as t1 join (sbtest[1-5]) as t2 on t1.id = t2.id "
      "where t1.id > ([0-9]+) and t1.id < ([0-9]+) and t2.id > ([0-9]+) and t2.id < ([0-9]+) ");
  for (int i = 0; i < 200; ++i) {
    std::smatch found;
    const std::string sql = recorded.transaction().at(0);
    REQUIRE(std::regex_match(sql, found, pair));
    partners[found[1]].insert(found[2]);
    CHECK(std::stoll(found[4]) == std::stoll(found[3]) + 100);
    CHECK(found[5] == found[3]);
  }
  CHECK(partners.size() == 5);
  for (const auto& [table, seen] : partners) CHECK(seen.size() == 1);
  std::size_t prepared = 0;
  const auto state = made->new_state(recorded.session());
  for (std::size_t variant = 0; variant < 25; ++variant) prepared += state->sends(0, variant);
  CHECK(prepared == 5);
  CHECK_THROWS_AS(workload("oltp_join", {{"tables", "101"}}), api::OptionError);
}

TEST_CASE("RisingWave gets no BEGIN and no COMMIT") {
  const auto made = workload("oltp_read_write", {}, api::Dialect::risingwave);
  for (const auto& statement : made->statements()) CHECK_FALSE(statement.transaction_control);
  CHECK(RecordedSession(*made).transaction().size() == 18);
}

TEST_CASE("what is sent of the range reads is what is prepared") {
  CHECK(workload("oltp_read_only")->statements().size() == 7);
  CHECK(workload("oltp_read_only", {{"range-selects", "off"}})->statements().size() == 3);
  CHECK(workload("oltp_read_write")->statements().size() == 11);
  CHECK(workload("oltp_read_only", {{"point-selects", "0"}})->statements().size() == 7);
}

TEST_CASE("distributions: parameters are checked, names are in the report") {
  CHECK(workload("oltp_point_select", {{"rand-type", "zipfian"}, {"rand-zipfian-exp", "0.99"}})
            ->key_summary() == "keys zipfian 0.99");
  CHECK(workload("oltp_point_select")->key_summary() == "keys uniform");
  CHECK_THROWS_AS(workload("oltp_point_select", {{"rand-pareto-h", "1"}}), api::OptionError);
  CHECK_THROWS_AS(workload("oltp_point_select", {{"rand-zipfian-exp", "-0.5"}}), api::OptionError);
}

TEST_CASE("every workload says what a transaction is, and every statement has a text") {
  for (const auto& descriptor : registry()) {
    CAPTURE(descriptor.name);
    CHECK((descriptor.help.find("transaction is") != std::string::npos));
    for (const auto& statement : workload(descriptor.name)->statements()) CHECK_FALSE(statement.sql.empty());
  }
}
