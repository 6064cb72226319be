#include "src/monitor/counters.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

namespace pgload::monitor {
namespace {

using stats::ServerActivity;

const View& view(std::string_view name) {
  for (const View& each : views()) {
    if (each.name == name) return each;
  }
  throw std::logic_error("no such view");
}

TEST_CASE("version numbers") {
  CHECK(version_number("15.18 (Debian 15.18-0+deb12u1)") == 150018);
  CHECK(version_number("9.6.24") == 90624);
  CHECK(version_number("18beta1") == 180000);
  CHECK(version_number("11.2-YB-2.20.0.0-b0") == 110002);
  CHECK(version_number("13.0.0") == 130000);
  CHECK(version_number("16") == 160000);
  CHECK(version_number("") == 0);
  CHECK(version_number("unknown") == 0);
  CHECK(version_number("-3.1") == 0);
  CHECK(version_number("99999999999.1") == 0);
}

TEST_CASE("every server version has exactly one source of each counter") {
  for (const int version : {140000, 150018, 160000, 170000, 180000}) {
    CAPTURE(version);
    int checkpoint_views = 0;
    int wal_views = 0;
    for (const View& each : views()) {
      if (version < each.from_version || version > each.to_version) continue;
      for (const Counter counter : each.columns) {
        checkpoint_views += counter == &ServerActivity::checkpoints_timed;
        wal_views += counter == &ServerActivity::wal_bytes;
      }
    }
    CHECK(checkpoint_views == 1);
    CHECK(wal_views == 1);
  }
}

TEST_CASE("a row fills its counters; null and what is no number stay absent") {
  ServerActivity reading;
  take_row(view("pg_stat_database"), {"10", "2", std::nullopt, "99", "x", "18446744073709551616"}, reading);
  CHECK(reading.commits == 10);
  CHECK(reading.rollbacks == 2);
  CHECK(!reading.blocks_read);
  CHECK(reading.blocks_hit == 99);
  CHECK(!reading.deadlocks);
  CHECK(!reading.temp_bytes);
  take_row(view("pg_stat_wal"), {"4611686018427387904", "7"}, reading);
  CHECK(reading.wal_bytes == 4611686018427387904);
  CHECK(reading.wal_records == 7);
  CHECK(!reading.wal_full_page_images);
}

TEST_CASE("the difference has what both readings have, and nothing that ran backwards") {
  ServerActivity before;
  ServerActivity after;
  before.commits = 100;
  after.commits = 350;
  before.deadlocks = 3;
  after.deadlocks = 3;
  before.blocks_hit = 7;
  after.wal_bytes = 8;
  bool reset = false;
  ServerActivity between = difference(before, after, reset);
  CHECK(between.commits == 250);
  CHECK(between.deadlocks == 0);
  CHECK(!between.blocks_hit);
  CHECK(!between.wal_bytes);
  CHECK(!reset);
  after.deadlocks = 2;
  between = difference(before, after, reset);
  CHECK(between.commits == 250);
  CHECK(!between.deadlocks);
  CHECK(reset);
}

TEST_CASE("ours are laid beside the server's count without the sessions' set-up") {
  const auto commits = [](std::uint64_t counted, std::uint64_t rolled_back, std::uint64_t ours,
                          std::uint64_t setup) {
    ServerActivity activity;
    activity.commits = counted;
    activity.rollbacks = rolled_back;
    lay_beside(activity, ours, setup);
    CHECK(activity.ours == ours);
    CHECK(activity.rollbacks == rolled_back);
    return *activity.commits;
  };
  CHECK(commits(1064, 0, 1000, 64) == 1000);  // none of the set-up was in the first reading
  CHECK(commits(1000, 0, 1000, 64) == 1000);  // all of it was
  CHECK(commits(1030, 0, 1000, 64) == 1000);
  CHECK(commits(1034, 30, 1000, 64) == 970);
  CHECK(commits(1500, 0, 1000, 64) == 1436);  // somebody else is there too
  CHECK(commits(990, 0, 1000, 64) == 990);    // what is missing is not hidden
}

TEST_CASE("nothing is laid beside nothing") {
  ServerActivity activity;
  lay_beside(activity, 5, 1);
  CHECK(!activity.commits);
  CHECK(activity.ours == 5);
  leave_out(activity.commits, 3);
  CHECK(!activity.commits);
  activity.commits = 2;
  leave_out(activity.commits, 3);
  CHECK(activity.commits == 0);
}

}  // namespace
}  // namespace pgload::monitor
