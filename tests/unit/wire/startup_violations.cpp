// What a StartupMachine makes of servers that break the protocol, or refuse.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/unit/wire/scram_server.hpp"
#include "tests/unit/wire/startup_client.hpp"

using namespace proto_pg::wire;
using namespace proto_pg::wire::test;
using Client = StartupClient;

TEST_CASE("what may not come at this place") {
  const auto violation = [](Client& client, Wish wish) {
    CHECK(wish == Wish::failed);
    CHECK(client.machine.error() == Errc::protocol_violation);
    CHECK(client.feed('Z', "I") == Wish::failed);  // and stays so
  };
  for (const char type : {'S', 'K', 'Z', 'T', 'D', 'C', 'A', '\0', '\x1b', 'H'}) {
    Client client(settings_with(kSecret));
    violation(client, client.feed(type, z("a") + z("b")));
    CHECK_FALSE(client.says("\x1b"));
  }
  for (const int code : {11, 12}) {
    Client client(settings_with(kSecret));
    violation(client, client.authentication(code, kServerFirst));
  }
  for (const int code : {3, 10, 11, 12}) {  // a second request could be after the password
    Client client(settings_with(kSecret));
    (void)client.authentication(5, "salt");
    violation(client, client.authentication(code, code == 10 ? kPlain : ""));
    CHECK(client.sent().empty());
  }
  Client twice(settings_with(kSecret));
  (void)twice.authentication(0);
  violation(twice, twice.authentication(0));
  Client beyond(settings_with(kSecret));
  (void)beyond.authentication(0);
  (void)beyond.feed('Z', "I");
  violation(beyond, beyond.feed('Z', "I"));
}

TEST_CASE("payloads of a wrong size") {
  const std::pair<char, std::string> payloads[] = {{'R', ""},
                                                   {'R', bytes("\0\0\0")},
                                                   {'R', i32(0) + "x"},
                                                   {'R', i32(3) + "x"},
                                                   {'R', i32(5)},
                                                   {'R', i32(5) + "sal"},
                                                   {'R', i32(5) + "salty"},
                                                   {'R', i32(10)},
                                                   {'R', i32(10) + "SCRAM-SHA-256"},
                                                   {'R', i32(10) + z("SCRAM-SHA-256")},
                                                   {'R', i32(10) + kPlain + "x"}};
  for (const auto& [type, payload] : payloads) {
    CAPTURE(payload);
    Client client(settings_with(kSecret));
    CHECK(client.feed(type, payload) == Wish::failed);
    CHECK(client.machine.error() == Errc::protocol_violation);
  }
}

TEST_CASE("ErrorResponse at any place") {
  const auto payload = z("SFATAL") + z("VFATAL") + z("C28P01") + z("Mpassword authentication failed") + z("");
  for (const bool authenticated : {false, true}) {
    Client client(settings_with(kSecret));
    if (authenticated) (void)client.authentication(0);
    CHECK(client.feed('E', payload) == Wish::failed);
    CHECK(client.machine.error() == Errc::refused_by_server);
    CHECK(client.machine.server_error().sqlstate == sqlstate::kInvalidPassword);
    CHECK(client.machine.error_text() ==
          "the server refused the connection: FATAL: password authentication failed (28P01)");
  }
  Client colourful(settings_with(kSecret));
  (void)colourful.feed('E', z("SFATAL") + z("M\x1b[31mred\nline") + z(""));
  CHECK(colourful.says("[31mred line"));
  CHECK_FALSE(colourful.says("\x1b"));
  Client broken(settings_with(kSecret));
  CHECK(broken.feed('E', "not fields") == Wish::failed);
  CHECK(broken.machine.error() == Errc::protocol_violation);
}

TEST_CASE("the error of a server that could not even start a process for us") {
  const auto old = bytes("Ecould not fork new process for connection: Resource temporarily unavailable\n\0");
  CHECK(StartupMachine::is_old_style_error(old));
  CHECK(next_message(old, kMaxStartupReplyBytes).error == Errc::message_too_large);
  CHECK(StartupMachine::is_old_style_error("E\xc3\xa9"));
  CHECK_FALSE(StartupMachine::is_old_style_error("E" + i32(30)));
  CHECK_FALSE(StartupMachine::is_old_style_error("E" + i32(0x1fffffff)));
  CHECK_FALSE(StartupMachine::is_old_style_error("E" + i32(0x7fffffff)));
  CHECK_FALSE(StartupMachine::is_old_style_error("E"));
  CHECK_FALSE(StartupMachine::is_old_style_error("R" + i32(0)));
  CHECK_FALSE(StartupMachine::is_old_style_error(""));
  Client client(settings_with(kSecret));
  CHECK(client.machine.on_old_style_error(old) == Wish::failed);
  CHECK(client.machine.error() == Errc::refused_by_server);
  CHECK(client.machine.server_error().message ==
        "could not fork new process for connection: Resource temporarily unavailable");
  for (const auto& cut : {std::string(), std::string("E"), std::string("Ecould")}) {
    CHECK(Client(settings_with(kSecret)).machine.on_old_style_error(cut) == Wish::failed);
  }
}

TEST_CASE("no cut of any message of an exchange is taken for a good one, and none crashes") {
  ScramServer server(kSecret, "salt", 7, "n,,", "", "abc", kServerFirst);
  const std::vector<std::pair<char, std::string>> exchange = {{'R', i32(10) + kPlain},
                                                              {'R', i32(11) + kServerFirst},
                                                              {'R', i32(12) + server.server_final()},
                                                              {'R', i32(0)},
                                                              {'S', z("server_version") + z("15.20")},
                                                              {'K', i32(1) + "abcd"},
                                                              {'Z', "I"}};
  for (std::size_t cut_message = 0; cut_message < exchange.size(); ++cut_message) {
    const auto whole = exchange[cut_message].second;
    for (std::size_t size = 0; size < whole.size(); ++size) {
      CAPTURE(cut_message);
      CAPTURE(size);
      Client client(settings_with(kSecret));
      for (std::size_t i = 0; i < cut_message; ++i) {
        if (client.feed(exchange[i].first, exchange[i].second) == Wish::derive_keys) {
          (void)client.keys(derive_scram_keys(kSecret, "salt", 7));
        }
      }
      const auto wish = client.feed(exchange[cut_message].first, whole.substr(0, size));
      // The iteration count is one digit, and server-first without it is malformed: nothing shorter is valid.
      CHECK(wish == Wish::failed);
      CHECK(client.machine.error() == Errc::protocol_violation);
    }
  }
}

TEST_CASE("no error text holds the password") {
  for (int code = -1; code < 14; ++code) {
    for (const auto& rest : {std::string(), std::string("salt"), kPlain, kBoth}) {
      Client client(encrypted(ChannelBinding::require));
      (void)client.authentication(code, rest);
      (void)client.authentication(0);
      CHECK_FALSE(client.says(kSecret));
    }
  }
}
