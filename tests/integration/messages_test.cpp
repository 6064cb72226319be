// Queries, pipelines and errors against a real PostgreSQL: cases W1, W3 to W7, W18, W19, and links that
// break.

#include <doctest/doctest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "tests/integration/client.hpp"
#include "tests/integration/statements.hpp"
#include "tests/support/fault_proxy.hpp"
#include "tests/support/postgres_server.hpp"

namespace {

using integration::add_statement;
using integration::add_sync;
using integration::Client;
using proto_pg::client::Connection;
using proto_pg::wire::Errc;
using proto_pg::wire::Outcome;
using proto_pg::wire::SqlState;
using Status = proto_pg::wire::Outcome::Status;

support::PostgresServer& server() {
  static support::PostgresServer one({});
  return one;
}

std::string address(std::uint16_t port = 0) {
  return integration::conninfo(port != 0 ? port : server().port(), "postgres", "sslmode=disable");
}

struct Opened : Client {
  explicit Opened(const std::string& conninfo = address()) : Client(conninfo) {
    open();
    INFO(failure().text);
    REQUIRE(!failure().failed());
  }
};

std::vector<Status> statuses(Connection& connection) {
  std::vector<Status> list;
  for (const Outcome& outcome : connection.tracker().outcomes()) list.push_back(outcome.status);
  return list;
}

TEST_CASE("notices, parameter changes and notifications between any two messages (W1)") {
  Opened client;
  REQUIRE(client
              .query("create or replace function noisy(i int) returns int language plpgsql as $$ begin "
                     "raise notice 'row %', i; perform set_config('application_name', 'row ' || i, false); "
                     "return i; end $$")
              .ok());
  const Connection::Result rows =
      client.query("listen c; select noisy(i) from generate_series(1, 300) i; notify c, 'x'");
  REQUIRE(rows.ok());
  CHECK(rows.rows.size() == 300);
  CHECK(client.connection().parameter("application_name") == "row 300");
  client.connection().begin_batch();
  add_statement(client.connection(), "select noisy(i) from generate_series(1, 10) i");
  add_sync(client.connection());
  REQUIRE(!client.run());
  CHECK(client.connection().tracker().outcomes()[0].rows == 10);
  server().sql("notify c, 'while idle'");
  CHECK(client.value("select 'still good'") == "still good");
}

TEST_CASE("an error in statement 2 of 5 skips to the Sync and shifts nothing (W3)") {
  Opened client;
  Connection& connection = client.connection();
  for (int round = 0; round < 3; ++round) {
    connection.begin_batch();
    add_statement(connection, "select 1");
    add_statement(connection, "select 1/0");
    for (int i = 0; i < 3; ++i) add_statement(connection, "select 1");
    add_sync(connection);
    add_statement(connection, "select 7");
    add_sync(connection);
    REQUIRE(!client.run());
    CHECK(statuses(connection) == std::vector<Status>{Status::good, Status::failed, Status::skipped,
                                                      Status::skipped, Status::skipped, Status::good});
    CHECK(connection.tracker().outcomes()[1].sqlstate == SqlState::parse("22012"));
    CHECK(connection.last_error().message == "division by zero");
    CHECK(connection.transaction_status() == 'I');
  }
  CHECK(client.value("select 8") == "8");
}

TEST_CASE("one Sync a batch is one transaction, a Sync each are many (W4)") {
  Opened client;
  Connection& connection = client.connection();
  REQUIRE(client.query("create temp table t (i int primary key)").ok());
  for (const bool sync_each : {false, true}) {
    REQUIRE(client.query("truncate t").ok());
    connection.begin_batch();
    for (const std::string value : {"1", "2", "1", "3"}) {
      add_statement(connection, "insert into t values ($1::int)", {value});
      if (sync_each) add_sync(connection);
    }
    if (!sync_each) add_sync(connection);
    REQUIRE(!client.run());
    const Status last = sync_each ? Status::good : Status::skipped;
    CHECK(statuses(connection) == std::vector<Status>{Status::good, Status::good, Status::failed, last});
    CHECK(client.value("select count(*) from t") == (sync_each ? "3" : "0"));
  }
}

TEST_CASE("a pipeline of 2000 results of 64 kB, and as much in both directions (W5)") {
  Opened client;
  Connection& connection = client.connection();
  connection.begin_batch();
  for (int i = 0; i < 2000; ++i) add_statement(connection, "select repeat('x', 65536)");
  add_sync(connection);
  REQUIRE(!client.run());
  std::uint64_t bytes = 0;
  for (const Outcome& outcome : connection.tracker().outcomes()) bytes += outcome.good() ? outcome.bytes : 0;
  CHECK(bytes >= 2000U * 65536);

  connection.begin_batch();
  const std::string large(65536, 'y');
  for (int i = 0; i < 500; ++i) add_statement(connection, "select $1::text || $1::text", {large});
  add_sync(connection);
  REQUIRE(!client.run());
  bytes = 0;
  for (const Outcome& outcome : connection.tracker().outcomes()) bytes += outcome.good() ? outcome.bytes : 0;
  CHECK(bytes >= 500U * 2 * 65536);
}

TEST_CASE("empty statements, suspended portals, statements without rows (W6)") {
  Opened client;
  Connection& connection = client.connection();
  CHECK(client.query("").ok());
  CHECK(client.query(";").ok());
  connection.begin_batch();
  add_statement(connection, "");
  add_statement(connection, "select generate_series(1, 10)", {}, 4);
  add_statement(connection, "create temp table nothing (i int)");
  add_statement(connection, "insert into nothing select generate_series(1, 5)");
  add_statement(connection, "select from nothing where false");
  add_sync(connection);
  REQUIRE(!client.run());
  std::vector<std::uint64_t> rows;
  for (const Outcome& outcome : connection.tracker().outcomes())
    rows.push_back(outcome.good() ? outcome.rows : 99);
  CHECK(rows == std::vector<std::uint64_t>{0, 4, 0, 5, 0});
}

TEST_CASE("40,000 and 65,535 parameters work, 65,536 are refused before anything is sent (W7)") {
  Opened client;
  Connection& connection = client.connection();
  for (const std::size_t count : {40000U, 65535U, 65536U}) {
    CAPTURE(count);
    std::string sql = "select 1 where 7::int8 in (";
    for (std::size_t i = 1; i <= count; ++i) sql += (i > 1 ? ",$" : "$") + std::to_string(i);
    connection.begin_batch();
    add_statement(connection, sql + ")", std::vector<std::string>(count, "7"));
    add_sync(connection);
    const std::uint64_t before = connection.traffic().bytes_sent;
    const std::error_code error = client.run();
    if (count <= 65535) {
      REQUIRE(!error);
      CHECK(connection.tracker().outcomes()[0].rows == 1);
    } else {
      CHECK(error == Errc::too_many_parameters);
      CHECK(connection.traffic().bytes_sent == before);
    }
  }
  CHECK(client.value("select 'usable'") == "usable");
}

TEST_CASE("messages and the transactions that end are counted as the server counts them") {
  Opened client;
  proto_pg::client::Traffic before = client.connection().traffic();
  CHECK(before.messages_sent == 1);      // StartupMessage
  CHECK(before.messages_received > 10);  // AuthenticationOk, ParameterStatus*, BackendKeyData, ReadyForQuery
  CHECK(before.transactions_ended == 0);
  const auto since = [&](const std::string& sql) {
    const Connection::Result result = client.query(sql);
    CHECK(!result.error);
    proto_pg::client::Traffic traffic = client.connection().traffic();
    traffic -= before;
    before += traffic;
    return traffic;
  };
  proto_pg::client::Traffic one = since("select 1");
  CHECK(one.messages_sent == 1);
  CHECK(one.bytes_sent == 14);        // Q, length, text, zero byte
  CHECK(one.messages_received == 4);  // RowDescription, DataRow, CommandComplete, ReadyForQuery
  CHECK(one.transactions_ended == 1);
  CHECK(since("begin").transactions_ended == 0);
  CHECK(since("select 1").transactions_ended == 0);
  CHECK(since("commit").transactions_ended == 1);
  CHECK(since("select 1/0").transactions_ended == 1);
}

TEST_CASE("binary and text results, NULL, and a row of 1,600 columns") {
  Opened client;
  Connection& connection = client.connection();
  std::string wide = "select 1";
  for (int i = 2; i <= 1600; ++i) wide += "," + std::to_string(i);
  const Connection::Result row = client.query(wide);
  REQUIRE(row.ok());
  REQUIRE(row.rows[0].size() == 1600);
  CHECK(row.rows[0][1599] == "1600");
  CHECK(client.value("select null") == "(null)");
  connection.begin_batch();
  add_statement(connection, "select 258::int4, null::int4", {}, 0, proto_pg::wire::Format::binary);
  add_sync(connection);
  std::vector<std::optional<std::string>> seen;
  proto_pg::client::ReplyVisitor visitor;
  visitor.object = &seen;
  visitor.row = [](void* object, std::size_t, proto_pg::wire::RowView columns) {
    auto& list = *static_cast<std::vector<std::optional<std::string>>*>(object);
    for (std::size_t i = 0; i < columns.size(); ++i) list.emplace_back(columns.next());
  };
  REQUIRE(!client.run(visitor));
  CHECK(seen == std::vector<std::optional<std::string>>{std::string("\0\0\1\2", 4), std::nullopt});
}

TEST_CASE("statement and lock time-outs are answers, not the end (W18)") {
  Opened client, other;
  CHECK(client.query("set statement_timeout = 20; select pg_sleep(30)").server_error->sqlstate ==
        SqlState::parse("57014"));
  REQUIRE(client.query("set statement_timeout = 0; set lock_timeout = 20").ok());
  REQUIRE(other.query("select pg_advisory_lock(5)").ok());
  CHECK(client.query("select pg_advisory_lock(5)").server_error->sqlstate == SqlState::parse("55P03"));
  CHECK(client.value("select 'usable'") == "usable");
}

TEST_CASE("a failed transaction shows in the status and ends with ROLLBACK (W19)") {
  Opened client;
  Connection& connection = client.connection();
  REQUIRE(client.query("begin").ok());
  CHECK(connection.transaction_status() == 'T');
  CHECK(client.query("select 1/0").server_error->sqlstate == SqlState::parse("22012"));
  CHECK(connection.transaction_status() == 'E');
  CHECK(client.query("select 1").server_error->sqlstate == SqlState::parse("25P02"));
  REQUIRE(client.query("rollback").ok());
  CHECK(connection.transaction_status() == 'I');
  CHECK(client.value("select 1") == "1");
}

TEST_CASE("errors keep severity, code, message, detail and hint") {
  Opened client;
  const Connection::Result failed = client.query(
      "do $$ begin raise exception 'no' using errcode = 'P0042', detail = 'because', hint = 'try later'; end "
      "$$");
  REQUIRE(failed.server_error);
  CHECK(failed.server_error->sqlstate == SqlState::parse("P0042"));
  CHECK(failed.server_error->severity == "ERROR");
  CHECK(failed.server_error->message == "no");
  CHECK(failed.server_error->detail == "because");
  CHECK(failed.server_error->hint == "try later");
}

/// Waits, by asking the server, until somebody there waits for an advisory lock.
void until_somebody_waits(Client& watcher) {
  while (watcher.value("select count(*) from pg_locks where locktype = 'advisory' and not granted") == "0") {
  }
}

boost::asio::awaitable<void> note_end(Connection& connection, Connection::Result& result, bool& ended) {
  result = co_await connection.query("select pg_advisory_lock(6)");
  ended = true;
}

TEST_CASE("a CancelRequest ends the statement, and the session goes on") {
  Opened client, watcher;
  REQUIRE(watcher.query("select pg_advisory_lock(6)").ok());
  Connection::Result result;
  bool ended = false;
  boost::asio::co_spawn(client.loop().context(), note_end(client.connection(), result, ended),
                        boost::asio::detached);
  client.loop().context().restart();
  client.loop().context().poll();
  until_somebody_waits(watcher);
  std::string reason;
  const auto endpoints = proto_pg::client::resolve(client.info().hosts[0], reason);
  const auto shared = client.context();
  const std::error_code error = client.loop().run(
      proto_pg::client::cancel(client.loop().poller(), shared, client.info().hosts[0], endpoints.at(0),
                               client.connection().process_id(), client.connection().cancel_key(), false));
  CHECK(!error);
  while (!ended) client.loop().context().run_one();
  REQUIRE(result.server_error);
  CHECK(result.server_error->sqlstate == SqlState::parse("57014"));
  CHECK(client.value("select 'usable'") == "usable");
}

TEST_CASE("an interrupt from outside ends a waiting statement with its reason") {
  Opened client, watcher;
  REQUIRE(watcher.query("select pg_advisory_lock(6)").ok());
  Connection::Result result;
  bool ended = false;
  boost::asio::co_spawn(client.loop().context(), note_end(client.connection(), result, ended),
                        boost::asio::detached);
  client.loop().context().restart();
  client.loop().context().poll();
  until_somebody_waits(watcher);
  client.connection().interrupt(Errc::timed_out);
  client.loop().context().restart();
  while (!ended) client.loop().context().run_one();
  CHECK(result.error == Errc::timed_out);
  CHECK(!client.connection().is_open());
  CHECK(!client.open().failed());
  CHECK(client.value("select 1") == "1");
}

TEST_CASE("a backend that is terminated, and a server that goes and comes back") {
  Opened client;
  server().sql("select pg_terminate_backend(" + std::to_string(client.connection().process_id()) + ")");
  const Connection::Result lost = client.query("select 1");
  CHECK(!lost.ok());
  CHECK(!client.connection().is_open());
  Opened again;
  server().restart();
  CHECK(again.query("select 1").error);
  CHECK(!again.open().failed());
  CHECK(again.value("select 2") == "2");
}

TEST_CASE("bytes one by one, and a link that is cut in the middle of a batch") {
  support::FaultProxy proxy(server().port());
  proxy.slice(true);
  Opened client(address(proxy.port()));
  CHECK(client.query("select generate_series(1, 50), 'text'").rows.size() == 50);
  proxy.slice(false);
  proxy.stall(true);
  Connection& connection = client.connection();
  connection.begin_batch();
  add_statement(connection, "select 1");
  add_sync(connection);
  proxy.cut();
  CHECK(client.run() == std::errc::connection_reset);
  CHECK(statuses(connection) == std::vector<Status>{Status::lost});
  CHECK(!connection.is_open());
}

}  // namespace
