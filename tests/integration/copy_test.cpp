// COPY FROM STDIN against a real PostgreSQL: cases W15, W16.

#include <doctest/doctest.h>

#include "proto_pg/wire/copy_format.hpp"
#include "tests/integration/client.hpp"
#include "tests/support/postgres_server.hpp"

namespace {

using integration::Client;
using proto_pg::client::Connection;
using proto_pg::wire::CopyBinaryWriter;
using proto_pg::wire::SqlState;

support::PostgresServer& server() {
  static support::PostgresServer one({});
  return one;
}

struct Opened : Client {
  Opened() : Client(integration::conninfo(server().port(), "postgres", "sslmode=disable")) {
    REQUIRE(!open().failed());
  }
  Connection::Result begin(const std::string& sql) { return loop().run(connection().copy_in_begin(sql)); }
  Connection::Result send() { return loop().run(connection().copy_in_send()); }
  Connection::Result end() { return loop().run(connection().copy_in_end()); }
  /// One CopyData message of text.
  void put(std::string_view text) { proto_pg::wire::encode_copy_data(connection().out(), text); }
};

constexpr std::int64_t kRows = 1'000'000;

std::string text_of(std::int64_t row) { return "row " + std::to_string(row * 7919 % kRows); }

/// Rows [first, last) as one CopyData message; header and trailer where they belong.
void put_rows(proto_pg::wire::SendBuffer& out, std::int64_t first, std::int64_t last) {
  CopyBinaryWriter writer(out);
  const std::size_t begin = out.begin_message('d');
  if (first == 0) writer.header();
  for (std::int64_t row = first; row < last; ++row) {
    writer.begin_row(3);
    writer.put_int8(row);
    writer.put_int4(static_cast<std::int32_t>(row % 1000));
    if (row % 10 == 9) {
      writer.put_null();
    } else {
      writer.put_text(text_of(row));
    }
  }
  if (last == kRows) writer.trailer();
  out.end_message(begin);
}

TEST_CASE("a million rows in binary are what was generated (W16)") {
  Opened client;
  REQUIRE(client.query("create unlogged table t (id int8, n int4, s text)").ok());
  REQUIRE(client.begin("copy t from stdin with (format binary)").ok());
  for (std::int64_t row = 0; row < kRows; row += 10'000) {
    put_rows(client.connection().out(), row, row + 10'000);
    REQUIRE(client.send().ok());
  }
  const Connection::Result end = client.end();
  REQUIRE(end.ok());
  CHECK(client.connection().tracker().outcomes()[0].rows == kRows);
  CHECK(client.value("select count(*) || ' ' || count(s) || ' ' || sum(id) || ' ' || sum(n) from t") ==
        "1000000 900000 499999500000 499500000");
  CHECK(client.value("select count(*) from t where s is distinct from case when id % 10 = 9 then null else "
                     "'row ' || id * 7919 % 1000000 end") == "0");
}

TEST_CASE("text COPY, and a COPY that brings nothing") {
  Opened client;
  REQUIRE(client.query("create temp table t (a int, b text)").ok());
  REQUIRE(client.begin("copy t from stdin").ok());
  client.put("1\tone\n2\t");
  client.put("two\n3\t\\N\n");
  REQUIRE(client.send().ok());
  REQUIRE(client.end().ok());
  CHECK(client.value("select string_agg(a || coalesce(b, '-'), ',' order by a) from t") == "1one,2two,3-");
  REQUIRE(client.begin("copy t from stdin").ok());
  REQUIRE(client.end().ok());
  CHECK(client.connection().tracker().outcomes()[0].rows == 0);
}

TEST_CASE("a bad row stops the COPY at once, and the session is usable (W15)") {
  Opened client;
  REQUIRE(client.query("create temp table t (a int)").ok());
  REQUIRE(client.begin("copy t from stdin").ok());
  Connection::Result result;
  int messages = 0;
  for (; result.ok() && messages < 1'000'000; ++messages) {
    client.put(messages == 1000 ? "not a number\n" : "1\n");
    result = client.send();
  }
  REQUIRE(result.server_error);
  CHECK(result.server_error->sqlstate == SqlState::parse("22P02"));
  CHECK(messages < 1'000'000);
  CHECK(client.value("select count(*) from t") == "0");
}

TEST_CASE("an error that comes only at the end, and a COPY that is refused") {
  Opened client;
  REQUIRE(client.query("create temp table t (a int primary key deferrable initially deferred)").ok());
  REQUIRE(client.begin("copy t from stdin").ok());
  client.put("1\n1\n");
  REQUIRE(client.send().ok());
  const Connection::Result end = client.end();
  REQUIRE(end.server_error);
  CHECK(end.server_error->sqlstate == SqlState::parse("23505"));
  const Connection::Result refused = client.begin("copy no_such_table from stdin");
  REQUIRE(refused.server_error);
  CHECK(refused.server_error->sqlstate == SqlState::parse("42P01"));
  CHECK(client.value("select 'usable'") == "usable");
}

}  // namespace
