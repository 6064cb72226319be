#include "src/report/server_side.hpp"

#include <doctest/doctest.h>

#include "tests/unit/report/sample_run.hpp"

namespace pgload::report {
namespace {

using stats::ServerActivity;

stats::RunResult run_with(ServerActivity activity) {
  stats::RunResult run = sample::point_select();
  run.server_activity = std::move(activity);
  return run;
}

TEST_CASE("the server's commits beside ours, and where the backends were") {
  ServerActivity activity;
  activity.commits = 299'615;
  activity.ours = 299'612;
  activity.rollbacks = 0;
  activity.transactions = 299'615;
  activity.blocks_hit = 4'999;
  activity.blocks_read = 1;
  activity.wal_bytes = 29'961'500;
  activity.deadlocks = activity.temp_bytes = activity.autovacuum_runs = 0;
  activity.checkpoints_timed = activity.checkpoints_requested = 0;
  activity.waits = {{"CPU", 44}, {"Client", 29}, {"IO", 27}};
  CHECK(server_side_lines(run_with(activity)) ==
        "server side 299,615 commits (ours 299,612); cache hits 99.98 %; WAL 0.1 kB/tx; waits: CPU 44 %, "
        "Client "
        "29 %, IO 27 %\n");
}

TEST_CASE("nobody asked, or the server had no answer") {
  CHECK(server_side_lines(sample::point_select()) == "");
  CHECK(server_side_lines(run_with({})) == "");
  ServerActivity activity;
  activity.blocks_hit = activity.blocks_read = 0;
  activity.wal_bytes = 100;
  activity.transactions = 0;
  CHECK(server_side_lines(run_with(activity)) == "");
}

TEST_CASE("a single miss does not round to all hits") {
  ServerActivity activity;
  activity.blocks_hit = 10'000'000;
  activity.blocks_read = 1;
  CHECK(server_side_lines(run_with(activity)) == "server side cache hits 99.99 %\n");
  activity.blocks_read = 0;
  CHECK(server_side_lines(run_with(activity)) == "server side cache hits 100 %\n");
}

TEST_CASE("little WAL keeps its figures") {
  ServerActivity activity;
  activity.transactions = 1000;
  activity.wal_bytes = 12'340;
  CHECK(server_side_lines(run_with(activity)) == "server side WAL 0.0123 kB/tx\n");
  activity.wal_bytes = 12'340'000;
  CHECK(server_side_lines(run_with(activity)) == "server side WAL 12.3 kB/tx\n");
}

TEST_CASE("of many sorts of waiting the five most seen, and none that was hardly seen") {
  ServerActivity activity;
  activity.waits = {{"CPU", 500}, {"Client", 200}, {"Lock", 100}, {"LWLock", 99}, {"IO", 98}, {"IPC", 3}};
  CHECK(server_side_lines(run_with(activity)) ==
        "server side waits: CPU 50 %, Client 20 %, Lock 10 %, LWLock 10 %, IO 10 %\n");
  activity.waits = {{"CPU", 997}, {"bad\x1b[31m", 3}};
  CHECK(server_side_lines(run_with(activity)) == "server side waits: CPU 100 %\n");
  activity.waits = {{"bad\x1b[31m", 3}};
  CHECK(server_side_lines(run_with(activity)) == "server side waits: bad\\x1b[31m 100 %\n");
}

}  // namespace
}  // namespace pgload::report
