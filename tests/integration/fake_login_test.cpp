// What no real server sends while a client logs in: cases A6, A7, A13, A16, A17, W9, W10, C5.

#include <doctest/doctest.h>

#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>

#include "tests/integration/client.hpp"
#include "tests/integration/login_server.hpp"
#include "tests/support/backend_messages.hpp"
#include "tests/support/fake_server.hpp"

namespace {

using namespace support::backend;
using integration::Client;
using integration::conninfo;
using proto_pg::client::OpenFailure;
using proto_pg::wire::Errc;
using support::FakeServer;
using support::FakeSession;

std::string at(const FakeServer& fake, const std::string& more = "") {
  return conninfo(fake.port(), "u", "password=secret sslmode=disable " + more);
}

/// Plays SCRAM up to the client's proof. `iterations` as sent; `nonce_tail` is appended to the client's
/// nonce.
void play_scram(FakeSession& session, const std::string& iterations, const std::string& nonce_tail = "srv") {
  session.accept_startup(sasl({"SCRAM-SHA-256"}));
  const std::string first = session.expect('p');
  const std::string nonce = first.substr(first.find("r=") + 2);
  session.send(authentication(11, "r=" + nonce + nonce_tail + ",s=c2FsdHNhbHRzYWx0,i=" + iterations));
  session.expect('p');
}

TEST_CASE("a server that can't prove that it knows the password is refused (A6)") {
  const std::string wrong = "v=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
  for (const std::string& end :
       {authentication(12, wrong) + welcome(), welcome(), authentication(12, "e=other-error"),
        authentication(12, "v=") + welcome(), authentication(12, "") + welcome()}) {
    FakeServer fake([&](FakeSession& session) {
      play_scram(session, "4096");
      session.send(end);
      session.hold();
    });
    Client client(at(fake));
    client.open();
    INFO(client.failure().text);
    CHECK(client.failure().stage == OpenFailure::Stage::startup);
    CHECK(client.failure().text.find("secret") == std::string::npos);
    CHECK(fake.finish() == "");
  }
}

TEST_CASE("a nonce that is not ours is refused (A6)") {
  FakeServer fake([](FakeSession& session) {
    session.accept_startup(sasl({"SCRAM-SHA-256"}));
    session.expect('p');
    session.send(authentication(11, "r=somebodyelse,s=c2FsdHNhbHRzYWx0,i=4096"));
    session.hold();
  });
  Client client(at(fake));
  CHECK(client.open().code == Errc::server_not_authentic);
}

TEST_CASE("iteration counts out of bounds are refused, 1 is not (A7)") {
  for (const std::string count : {"10000000", "1000001", "0", "-1", "99999999999999999999", "4096x", ""}) {
    CAPTURE(count);
    FakeServer fake([&](FakeSession& session) { play_scram(session, count); });
    Client client(at(fake));
    CHECK(client.open().code == Errc::protocol_violation);
  }
  FakeServer fake([](FakeSession& session) {
    play_scram(session, "1");  // got the client's proof
    session.send(error("28P01", "reached", "FATAL"));
  });
  Client client(at(fake));
  client.open();
  CHECK(client.refused_with("28P01"));
}

boost::asio::awaitable<void> tick(int& ticks, const bool& done) {
  const auto executor = co_await boost::asio::this_coro::executor;
  boost::asio::steady_timer timer(executor);
  while (!done) {
    timer.expires_after(std::chrono::milliseconds(1));
    co_await timer.async_wait(boost::asio::use_awaitable);
    ++ticks;
  }
}

TEST_CASE("a million iterations do not hold up the other sessions of the worker (A7)") {
  FakeServer fake([](FakeSession& session) {
    play_scram(session, "1000000");
    session.send(error("28P01", "reached", "FATAL"));
  });
  Client client(at(fake, "connect_timeout=60"));
  int ticks = 0;
  bool done = false;
  boost::asio::co_spawn(client.loop().context(), tick(ticks, done), boost::asio::detached);
  client.open();
  done = true;
  CHECK(client.refused_with("28P01"));
  CHECK(ticks >= 10);
  client.loop().context().restart();
  client.loop().context().run();
}

TEST_CASE("the answer to SSLRequest: closed, an old error, more than one byte, nonsense (A13)") {
  const auto script = [](const std::string& answer) {
    return [answer](FakeSession& session) {
      session.answer_ssl_request(answer);
      if (answer.empty() || answer[0] == 'E') return;  // as a server does
      session.hold();
    };
  };
  for (const std::string mode : {"prefer", "require"}) {
    CAPTURE(mode);
    const std::string tls = "user=u dbname=d host=127.0.0.1 sslmode=" + mode + " port=";
    FakeServer closes(script(""));
    Client closed(tls + std::to_string(closes.port()));
    CHECK(closed.open().code == Errc::connection_closed);
    CHECK(closes.accepted() == 1);  // not tried again in plain text

    FakeServer old(script(error("53300", "too many")));
    Client refused(tls + std::to_string(old.port()));
    CHECK(refused.open().failed());
    CHECK(refused.failure().text.find("too many") != std::string::npos);

    FakeServer injects(script("S" + ready()));
    Client injected(tls + std::to_string(injects.port()));
    CHECK(injected.open().code == Errc::protocol_violation);
    CHECK(injects.accepted() == 1);

    FakeServer odd(script("?"));
    Client nonsense(tls + std::to_string(odd.port()));
    CHECK(nonsense.open().failed());
  }
}

TEST_CASE("a server without TLS: prefer goes on in plain text, require does not (A10)") {
  FakeServer fake([](FakeSession& session) {
    session.accept_startup(welcome());
    session.hold();
  });
  Client prefer(conninfo(fake.port(), "u", "sslmode=prefer"));
  REQUIRE(!prefer.open().failed());
  CHECK(!prefer.connection().tls());
  Client require(conninfo(fake.port(), "u", "sslmode=require"));
  CHECK(require.open().code == Errc::tls_not_offered);
}

TEST_CASE("a handshake that fails is never followed by plain text from require on (A10)") {
  FakeServer fake([](FakeSession& session) {
    session.answer_ssl_request("S");
    session.receive();
    session.send("this is no TLS record, whatever one makes of it");
    session.hold();
  });
  Client client(conninfo(fake.port(), "u", "sslmode=require"));
  CHECK(client.open().code == Errc::tls_failed);
  CHECK(fake.accepted() == 1);
}

TEST_CASE("SCRAM-PLUS through a man in the middle fails (A3)") {
  support::PostgresServer& real = integration::login_server();
  FakeServer fake([&](FakeSession& session) {
    session.answer_ssl_request("S");
    if (!session.start_tls(real.tls_file("selfsigned.crt"), real.tls_file("selfsigned.key"))) return;
    session.startup_packet();
    session.send(sasl({"SCRAM-SHA-256"}));  // does not offer PLUS, as it can't bind
    session.hold();
  });
  Client client(conninfo(fake.port(), "u", "password=secret sslmode=require channel_binding=require"));
  CHECK(client.open().code == Errc::channel_binding_missing);
}

TEST_CASE("notices, a negotiated version and a long cancel key while starting up (A16)") {
  const std::string key(256, 'k');
  for (const bool sliced : {false, true}) {
    FakeServer fake([&](FakeSession& session) {
      session.accept_startup(negotiate(0, {"_pq_.something"}));
      const std::string bytes = notice("before") + authentication_ok() + notice("hello") +
                                parameter_status("server_version", "18") + key_data(9, key) +
                                notice("after") + ready();
      if (sliced) {
        session.send_sliced(bytes);
      } else {
        session.send(bytes);
      }
      session.hold();
    });
    Client client(at(fake));
    client.open();
    INFO(client.failure().text);
    REQUIRE(!client.failure().failed());
    CHECK(client.connection().cancel_key() == key);
    CHECK(client.connection().parameter("server_version") == "18");
  }
}

TEST_CASE("connect_timeout covers the greeting, TLS and authentication (A17)") {
  const std::vector<std::pair<std::string, FakeServer::Script>> silent = {
      {"sslmode=disable", [](FakeSession& session) { session.hold(); }},
      {"sslmode=require",
       [](FakeSession& session) {
         session.answer_ssl_request("S");
         session.hold();
       }},
      {"sslmode=disable",
       [](FakeSession& session) {
         session.accept_startup(cleartext());
         session.hold();
       }},
  };
  for (const auto& [mode, script] : silent) {
    FakeServer fake(script);
    Client client(conninfo(fake.port(), "u", "password=secret connect_timeout=2 " + mode));
    const auto begin = std::chrono::steady_clock::now();
    CHECK(client.open().code == Errc::timed_out);
    CHECK(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(1900));
    CHECK(client.failure().text.find("timed out") != std::string::npos);
  }
}

TEST_CASE("methods that are not supported are named (A15)") {
  for (const int code : {2, 6, 7, 9, 11, 99}) {
    CAPTURE(code);
    FakeServer fake([&](FakeSession& session) {
      session.accept_startup(authentication(code, "\1\2\3\4"));
      session.hold();
    });
    Client client(at(fake));
    CHECK(client.open().failed());
    CHECK((client.failure().code == Errc::unsupported_authentication ||
           client.failure().code == Errc::protocol_violation));
  }
  FakeServer fake([](FakeSession& session) {
    session.accept_startup(sasl({"OAUTHBEARER"}));
    session.hold();
  });
  Client client(at(fake));
  client.open();
  CHECK(client.failure().code == Errc::unsupported_authentication);
  CHECK(client.failure().text.find("OAUTHBEARER") != std::string::npos);
}

TEST_CASE("lengths that lie before authentication is done (W9)") {
  for (const std::string& head :
       {"R" + int32(0x7fffffff), "R" + int32(3), "R" + int32(0), "R" + int32(0xffffffffU), "R" + int32(70000),
        "E" + int32(0x7ffffff0), std::string("HTTP/1.1 400 Bad Request")}) {
    FakeServer fake([&](FakeSession& session) {
      session.accept_startup(head);
      session.hold();
    });
    Client client(at(fake));
    client.open();
    CHECK((client.failure().code == Errc::protocol_violation ||
           client.failure().code == Errc::message_too_large));
  }
}

TEST_CASE("an error without code, with bytes that are no UTF-8 (W10)") {
  FakeServer fake([](FakeSession& session) {
    session.accept_startup(error(Fields{{'S', "FATAL"}, {'M', "bad \xff\xfe bytes"}}));
  });
  Client client(at(fake));
  CHECK(client.open().code == Errc::refused_by_server);
  CHECK(client.failure().server.sqlstate == proto_pg::wire::SqlState::missing());
  CHECK(client.failure().text.find("bad") != std::string::npos);
}

TEST_CASE("a login that is cut after every byte is an error, never a hang") {
  const std::string bytes = welcome();
  std::size_t cut = 0;
  for (; cut < bytes.size(); ++cut) {
    FakeServer fake([&](FakeSession& session) { session.accept_startup(bytes.substr(0, cut)); });
    Client client(at(fake));
    client.open();
    CAPTURE(cut);
    // The end of the stream, or a reset, as the start-up packet is read in full.
    CHECK(client.failure().failed());
  }
}

TEST_CASE("a name with several addresses: each is tried (C5)") {
  FakeServer fake([](FakeSession& session) {
    session.accept_startup(welcome());
    session.hold();
  });
  Client client(at(fake));
  Client dead(conninfo(support::free_port(), "u", "sslmode=disable"));
  std::string reason;
  std::vector<proto_pg::client::Endpoint> endpoints = proto_pg::client::resolve(dead.info().hosts[0], reason);
  for (const auto& endpoint : proto_pg::client::resolve(client.info().hosts[0], reason))
    endpoints.push_back(endpoint);
  REQUIRE(endpoints.size() == 2);
  const auto shared = client.context();
  const OpenFailure failure =
      client.loop().run(client.connection().open(shared, client.info().hosts[0], endpoints));
  INFO(failure.text);
  CHECK(!failure.failed());
  CHECK(dead.open().stage == OpenFailure::Stage::connect);
}

TEST_CASE("an IPv6 address in brackets (C3)") {
  Client client("postgresql://trust_u@[::1]:" + std::to_string(integration::login_server().port()) +
                "/postgres");
  client.open();
  INFO(client.failure().text);
  REQUIRE(!client.failure().failed());
  CHECK(client.value("select inet_server_addr()") == "::1");
}

}  // namespace
