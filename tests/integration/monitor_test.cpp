// The server's side of a run, against a real PostgreSQL.

#include <doctest/doctest.h>

#include <algorithm>
#include <list>

#include "src/monitor/server_monitor.hpp"
#include "tests/integration/client.hpp"
#include "tests/support/fault_proxy.hpp"
#include "tests/support/postgres_server.hpp"

namespace {

using integration::Client;
using pgload::monitor::ServerMonitor;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kMaxConnections = 10;

support::PostgresServer& server() {
  static support::PostgresServer one({.configuration =
                                          "max_connections = 10\nsuperuser_reserved_connections = 0\n"
                                          "autovacuum = off\n"});
  return one;
}

std::string address(const std::string& user = "postgres", const std::string& more = "",
                    std::uint16_t port = 0) {
  return integration::conninfo(port != 0 ? port : server().port(), user, "sslmode=disable " + more);
}

/// A monitor with what it stands on.
struct Watch {
  explicit Watch(const std::string& conninfo) : client(conninfo) {
    std::string reason;
    endpoints = proto_pg::client::resolve(client.info().hosts[0], reason);
    monitor.emplace(context, client.info().hosts[0], endpoints);
  }
  Client client;
  proto_pg::client::ConnectContext context = client.context();
  std::vector<proto_pg::client::Endpoint> endpoints;
  std::optional<ServerMonitor> monitor;
  ServerMonitor* operator->() { return &*monitor; }
};

void open(Client& client) {
  const auto& failure = client.open();
  INFO(failure.text);
  REQUIRE(!failure.failed());
}

bool has(const std::vector<std::string>& notes, const std::string& part) {
  return std::ranges::any_of(notes,
                             [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

bool knows(const pgload::stats::ServerActivity& activity, const std::string& name, const std::string& value) {
  const auto& list = activity.settings;
  return std::ranges::find(list, std::pair(name, value)) != list.end();
}

TEST_CASE("the server's commits and rollbacks beside ours, to the last one") {
  Watch watch(address());
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  {
    Client session(address());
    open(session);
    session.query("create table if not exists t (a int)");
    before = session.connection().traffic().transactions_ended;
    watch->begin();
    for (int i = 0; i < 100; ++i) session.query("select 1");
    for (int i = 0; i < 50; ++i) session.query("insert into t values (1)");
    for (int i = 0; i < 7; ++i) session.query("select 1/0");
    after = session.connection().traffic().transactions_ended - before;
    session.connection().close();
  }
  CHECK(after == 157);
  const Clock::time_point began = Clock::now();
  ServerMonitor::Findings found = watch->finish();
  CHECK(Clock::now() - began < std::chrono::milliseconds(1400));  // the backend's end, not the limit
  CHECK(found.notes == std::vector<std::string>{});
  REQUIRE(found.activity);
  pgload::monitor::lay_beside(*found.activity, after, before);
  CHECK(found.activity->commits == 150);
  CHECK(found.activity->rollbacks == 7);
  CHECK(found.activity->ours == 157);
  CHECK(found.activity->wal_bytes > 50 * 50);
  CHECK(found.activity->wal_records >= 50);
  CHECK(found.activity->blocks_hit > 50);
  CHECK(found.activity->deadlocks == 0);
  CHECK(found.activity->checkpoints_requested == 0);
  CHECK(knows(*found.activity, "fsync", "off"));
  CHECK(knows(*found.activity, "max_connections", "10"));
}

TEST_CASE("our backends are looked at, others not") {
  Watch watch(address());
  Client ours(address());
  Client others(address("postgres", "application_name=somebody"));
  open(ours);
  open(others);
  watch->begin();
  watch->window_began();
  // Seen once a second: within three, or not at all.
  ours.query("select pg_sleep(2.5)");
  watch->window_ended();
  ours.connection().close();
  const ServerMonitor::Findings found = watch->finish();
  REQUIRE(found.activity);
  CHECK(found.activity->samples >= 1);
  REQUIRE(found.activity->waits.size() == 1);
  CHECK(found.activity->waits[0].first == "Timeout");  // where pg_sleep waits
  CHECK(found.activity->waits[0].second == found.activity->samples);
}

TEST_CASE("without rights on a view the rest is there, and a note") {
  server().sql("create role plain login; revoke select on pg_stat_wal from public");
  Watch watch(address("plain"));
  Client session(address("plain"));
  open(session);
  watch->begin();
  for (int i = 0; i < 20; ++i) session.query("select 1");
  session.connection().close();
  const ServerMonitor::Findings found = watch->finish();
  server().sql("grant select on pg_stat_wal to public; drop role plain");
  REQUIRE(found.activity);
  CHECK(found.activity->commits == 20);
  CHECK(!found.activity->wal_bytes);
  CHECK(found.notes == std::vector<std::string>{
                           "server statistics without pg_stat_wal: permission denied for view pg_stat_wal"});
}

TEST_CASE("a server that is full is a note") {
  std::list<Client> sessions;
  for (std::uint64_t i = 0; i < kMaxConnections; ++i) {
    sessions.emplace_back(address());
    // One of the last test's backends may still be on its way out.
    while (sessions.back().open().failed()) REQUIRE(sessions.back().refused_with("53300"));
  }
  Watch watch(address());
  watch->begin();
  watch->window_began();
  watch->window_ended();
  const ServerMonitor::Findings found = watch->finish();
  CHECK(!found.activity);
  REQUIRE(found.notes.size() == 1);
  CHECK(has(found.notes, "no server statistics: 127.0.0.1:"));
  CHECK(has(found.notes, "too many clients already"));
}

TEST_CASE("a server that doesn't count is believed nothing") {
  Watch watch(address("postgres", "options='-c track_counts=off'"));
  watch->begin();
  const ServerMonitor::Findings found = watch->finish();
  REQUIRE(found.activity);
  CHECK(!found.activity->commits);
  CHECK(!found.activity->blocks_hit);
  CHECK(found.activity->wal_bytes);
  CHECK(has(found.notes, "track_counts is off"));
}

TEST_CASE("a server that goes away meanwhile, or does not answer, is a note") {
  support::FaultProxy proxy(server().port());
  SUBCASE("cut, and reached again at the end") {
    Watch watch(address("postgres", "", proxy.port()));
    Client witness(address("postgres", "", proxy.port()));
    open(witness);
    watch->begin();
    proxy.cut();
    CHECK(witness.query("select 1").error);  // all links are cut at once
    watch->window_began();
    const ServerMonitor::Findings found = watch->finish();
    REQUIRE(found.activity);
    CHECK(found.activity->commits);
    CHECK(has(found.notes, "gaps in the server statistics"));
  }
  SUBCASE("silent from the beginning") {
    proxy.stall(true);
    Watch watch(address("postgres", "", proxy.port()));
    const Clock::time_point began = Clock::now();
    watch->begin();
    CHECK(Clock::now() - began < std::chrono::seconds(4));
    const ServerMonitor::Findings found = watch->finish();
    CHECK(!found.activity);
    CHECK(has(found.notes, "no server statistics"));
  }
  SUBCASE("silent at the end") {
    Watch watch(address("postgres", "", proxy.port()));
    watch->begin();
    proxy.stall(true);
    const Clock::time_point began = Clock::now();
    const ServerMonitor::Findings found = watch->finish();
    CHECK(Clock::now() - began < std::chrono::seconds(6));
    REQUIRE(found.activity);
    CHECK(!found.activity->commits);
    CHECK(!found.activity->settings.empty());
    CHECK(has(found.notes, "did not answer in time"));
  }
  SUBCASE("left without an end") {
    Watch watch(address("postgres", "", proxy.port()));
    watch->begin();
    proxy.stall(true);
    watch->window_began();
  }
}

}  // namespace
