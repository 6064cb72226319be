// What no real server sends after the login: cases W1, W9, W10, W12, and every border of a message.

#include <doctest/doctest.h>

#include "tests/integration/client.hpp"
#include "tests/integration/statements.hpp"
#include "tests/support/backend_messages.hpp"
#include "tests/support/fake_server.hpp"

namespace {

using namespace support::backend;
using integration::add_statement;
using integration::add_sync;
using integration::Client;
using proto_pg::client::Connection;
using proto_pg::wire::Errc;
using proto_pg::wire::SqlState;
using support::FakeServer;
using support::FakeSession;

struct Opened : Client {
  explicit Opened(const FakeServer& fake)
      : Client(integration::conninfo(fake.port(), "u", "sslmode=disable")) {
    open();
    INFO(failure().text);
    REQUIRE(!failure().failed());
  }
  /// One extended statement with its Sync.
  std::error_code ask() {
    connection().begin_batch();
    add_statement(connection(), "select 1");
    add_sync(connection());
    return run();
  }
};

FakeServer::Script answering(const std::string& reply, bool sliced = false) {
  return [=](FakeSession& session) {
    session.accept_startup(welcome());
    session.expect_until('S');
    if (sliced) {
      session.send_sliced(reply);
    } else {
      session.send(reply);
    }
    session.hold();
  };
}

const std::string kNoise =
    notice("noise") + parameter_status("TimeZone", "Mars") + notification("channel", "payload");

TEST_CASE("asynchronous messages between any two others, sliced at every byte (W1)") {
  const std::string reply = kNoise + parse_complete() + kNoise + bind_complete() + kNoise +
                            row_description({{"a"}}) + kNoise + data_row({"1"}) + kNoise +
                            data_row({std::nullopt}) + kNoise + command_complete("SELECT 2") + kNoise +
                            ready() + kNoise;
  for (const bool sliced : {false, true}) {
    FakeServer fake(answering(reply, sliced));
    Opened client(fake);
    REQUIRE(!client.ask());
    CHECK(client.connection().tracker().outcomes()[0].good());
    CHECK(client.connection().tracker().outcomes()[0].rows == 2);
    CHECK(client.connection().parameter("TimeZone") == "Mars");
  }
}

TEST_CASE("asynchronous messages inside COPY and while idle (W1)") {
  FakeServer fake([](FakeSession& session) {
    session.accept_startup(welcome());
    session.expect('Q');
    session.send(kNoise + copy_in(1) + kNoise);
    session.expect_until('c');
    session.send(kNoise + command_complete("COPY 1") + kNoise + ready() + kNoise);
    session.expect('Q');
    session.send(row_description({{"a"}}) + data_row({"good"}) + command_complete("SELECT 1") + ready());
    session.hold();
  });
  Opened client(fake);
  Connection& connection = client.connection();
  REQUIRE(client.loop().run(connection.copy_in_begin("copy t from stdin")).ok());
  proto_pg::wire::encode_copy_data(connection.out(), "1\n");
  REQUIRE(client.loop().run(connection.copy_in_send()).ok());
  REQUIRE(client.loop().run(connection.copy_in_end()).ok());
  CHECK(connection.tracker().outcomes()[0].rows == 1);
  CHECK(client.value("select 'good'") == "good");
  CHECK(fake.finish() == "");
}

TEST_CASE("replies that nobody asked for, lengths that lie, counts that don't fit end the session (W9)") {
  const std::string good_start = parse_complete() + bind_complete() + row_description({{"a"}});
  const std::string bad[] = {
      good_start + "D" + int32(0x7fffffff),
      good_start + "D" + int32(3),
      good_start + "D" + int32(0xfffffffeU),
      good_start + message('D', int16(2) + int32(1) + "x"),
      good_start + message('D', int16(1) + int32(5) + "x"),
      good_start + message('D', int16(1) + int32(-2)),
      good_start + message('D', int16(1) + int32(1) + "xyz"),
      good_start + message('D', ""),
      good_start + message('C', "no zero"),
      good_start + message('Z', "II"),
      good_start + bind_complete(),
      bind_complete(),
      data_row({"1"}),
      parse_complete() + bind_complete() + no_data() + message('T', int16(3)),
      copy_in(1),
      message('?', "what"),
      message('R', int32(0)),
  };
  for (const std::string& reply : bad) {
    CAPTURE(reply);
    FakeServer fake(answering(reply));
    Opened client(fake);
    const std::error_code error = client.ask();
    CHECK((error == Errc::protocol_violation || error == Errc::message_too_large));
    CHECK(!client.connection().is_open());
    CHECK(client.connection().tracker().outcomes()[0].status == proto_pg::wire::Outcome::Status::lost);
  }
}

TEST_CASE("an error text of 1 MB, without code, not UTF-8; fields that don't end (W10)") {
  const std::string huge(1 << 20, '\xe9');
  FakeServer fake([&](FakeSession& session) {
    session.accept_startup(welcome());
    session.expect_until('S');
    session.send(error(Fields{{'S', "ERROR"}, {'M', huge}}) + ready());
    session.expect_until('S');
    session.send(parse_complete() + bind_complete() + no_data() + command_complete("SELECT 0") + ready());
    session.hold();
  });
  Opened client(fake);
  REQUIRE(!client.ask());
  CHECK(client.connection().tracker().outcomes()[0].sqlstate == SqlState::missing());
  CHECK(client.connection().last_error().message.size() <= proto_pg::wire::ServerError::kMaxFieldBytes);
  REQUIRE(!client.ask());
  CHECK(client.connection().tracker().outcomes()[0].good());
  CHECK(client.connection().tracker().outcomes()[0].rows == 0);

  FakeServer unended(answering(message('E', "SERROR")));
  Opened other(unended);
  CHECK(other.ask() == Errc::protocol_violation);
}

TEST_CASE("text although binary was asked for, and the reverse: rows and bytes are counted (W12)") {
  for (const int format : {0, 1}) {
    FakeServer fake(answering(parse_complete() + bind_complete() + row_description({{"id", 23, format}}) +
                              data_row({format == 0 ? std::string("258") : std::string("\0\0\1\2", 4)}) +
                              command_complete("SELECT 1") + ready()));
    Opened client(fake);
    client.connection().begin_batch();
    add_statement(client.connection(), "select 1", {}, 0,
                  format == 0 ? proto_pg::wire::Format::binary : proto_pg::wire::Format::text);
    add_sync(client.connection());
    REQUIRE(!client.run());
    CHECK(client.connection().tracker().outcomes()[0].good());
    CHECK(client.connection().tracker().outcomes()[0].rows == 1);
  }
}

TEST_CASE("a FATAL error between statements, and one in the middle, end the session and are kept") {
  FakeServer fake([](FakeSession& session) {
    session.accept_startup(welcome());
    session.expect_until('S');
    session.send(error("57P01", "terminating connection due to administrator command", "FATAL"));
  });
  Opened client(fake);
  CHECK(client.ask());
  CHECK(!client.connection().is_open());
  CHECK(client.connection().last_error().sqlstate == SqlState::parse("57P01"));
}

TEST_CASE("a reply that is cut after every byte is a lost statement, never a hang") {
  const std::string reply = parse_complete() + bind_complete() + row_description({{"a"}}) + data_row({"1"}) +
                            command_complete("SELECT 1") + ready();
  for (std::size_t cut = 0; cut < reply.size(); ++cut) {
    FakeServer fake([&](FakeSession& session) {
      session.accept_startup(welcome());
      session.expect_until('S');
      session.send(reply.substr(0, cut));
    });
    Opened client(fake);
    CAPTURE(cut);
    CHECK(client.ask() == Errc::connection_closed);
    CHECK(!client.connection().is_open());
  }
}

}  // namespace
