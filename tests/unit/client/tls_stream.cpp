#include <doctest/doctest.h>
#include <netinet/in.h>

#include <optional>
#include <string>
#include <vector>

#include "proto_pg/client/connection.hpp"
#include "proto_pg/client/dial.hpp"
#include "proto_pg/client/tls_context.hpp"
#include "proto_pg/wire/errc.hpp"
#include "tests/support/fake_server.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/run_process.hpp"
#include "tests/support/scratch_folder.hpp"

using namespace proto_pg::client;
using proto_pg::wire::Errc;
using support::FakeServer;
using support::FakeSession;

namespace {

std::string file(const std::string& name) {
  struct Made {
    support::ScratchFolder folder;
    Made() { support::run_checked({TESTS_SUPPORT_FOLDER "/certificates.sh", folder.path().string()}); }
  };
  static const Made made;
  return (made.folder.path() / name).string();
}

/// Plays the server's side of SSLRequest and handshake, then `rest`.
FakeServer::Script encrypted(const std::string& certificate, FakeServer::Script rest) {
  return [=](FakeSession& session) {
    session.answer_ssl_request("S");
    if (session.start_tls(file(certificate + ".crt"), file(certificate + ".key"))) rest(session);
  };
}

struct Client {
  support::Loop loop;
  ConnectInfo info;
  std::optional<TlsContext> context;
  Stream stream{loop.poller()};
  std::string reason;

  /// The result of the handshake.
  std::error_code start(const FakeServer& server, SslMode mode, const std::string& host = "localhost") {
    Host entry;
    entry.host = host;
    entry.hostaddr = "127.0.0.1";
    entry.port = server.port();
    info.hosts = {entry};
    info.sslmode = mode;
    if (mode >= SslMode::verify_ca) info.sslrootcert = file("ca.crt");
    context.emplace(info, Surroundings{});
    return loop.run(connect_and_encrypt());
  }

  asio::awaitable<std::error_code> connect_and_encrypt() {
    const auto endpoints = resolve(info.hosts[0], reason);
    std::error_code error = co_await connect_socket(stream, info, endpoints.at(0));
    if (error) co_return error;
    const TlsAnswer answer = co_await request_tls(stream);
    if (answer.kind != TlsAnswer::Kind::yes) co_return Errc::tls_not_offered;
    error = co_await stream.start_tls(*context, info.hosts[0].host, reason);
    co_return error;
  }

  /// Reads until `bytes` have come or the stream ends, one read for each wait.
  asio::awaitable<std::string> read(std::size_t bytes, std::error_code& why) {
    std::string all;
    std::vector<char> buffer(20'000);
    while (all.size() < bytes && !why) {
      co_await stream.wait(stream.read_needs());
      const auto transfer = stream.try_read(buffer);
      all.append(buffer.data(), transfer.bytes);
      why = transfer.error;
    }
    co_return all;
  }
};

}  // namespace

TEST_CASE("what OpenSSL holds back is never waited for on the socket") {
  const std::string sent(50'000, 'r');
  FakeServer server(encrypted("server", [&](FakeSession& session) {
    for (std::size_t i = 0; i < sent.size(); i += 100)
      session.send(sent.substr(i, 100));  // many small records
    session.hold();                       // nothing more comes that could wake a wait by mistake
  }));
  Client client;
  REQUIRE(!client.start(server, SslMode::require));
  std::error_code why;
  const std::string got = client.loop.run(client.read(sent.size(), why));
  CHECK(got == sent);
  CHECK(!why);
  client.stream.close();
  CHECK(server.finish() == "");
}

TEST_CASE("an end without close_notify is a closed connection") {
  FakeServer server(encrypted("server", [](FakeSession& session) { session.send("last words"); }));
  Client client;
  REQUIRE(!client.start(server, SslMode::require));
  std::error_code why;
  const std::string got = client.loop.run(client.read(1'000'000, why));
  CHECK(got == "last words");
  CHECK(why == Errc::connection_closed);
}

TEST_CASE("facts say what was checked") {
  FakeServer server(encrypted("server", [](FakeSession& session) { session.hold(); }));
  Client none, chain, full;
  REQUIRE(!none.start(server, SslMode::require));
  REQUIRE(!chain.start(server, SslMode::verify_ca));
  REQUIRE(!full.start(server, SslMode::verify_full));
  CHECK(none.stream.tls_facts().version == "TLSv1.3");
  CHECK_FALSE(none.stream.tls_facts().verified);
  CHECK(chain.stream.tls_facts().verified);
  CHECK_FALSE(chain.stream.tls_facts().host_verified);
  CHECK(full.stream.tls_facts().host_verified);
  CHECK(full.stream.certificate_hash().size() == 32);
  CHECK(Stream(none.loop.poller()).certificate_hash().empty());
}

TEST_CASE("a certificate that fails its checks is refused with the reason") {
  struct Case {
    std::string certificate, host, reason;
  };
  for (const Case& it : {
           Case{"selfsigned", "localhost", "certificate verify failed: self-signed certificate"},
           Case{"wrongca", "localhost", "certificate verify failed: unable to get local issuer certificate"},
           Case{"expired", "localhost", "certificate verify failed: certificate has expired"},
           Case{"wronghost", "localhost",
                "server certificate for \"localhost\" does not match host name \"localhost\""},
           Case{"wronghost", "127.0.0.1",
                "server certificate for \"localhost\" does not match host name \"127.0.0.1\""},
           Case{"server", "other.test",
                "server certificate for \"pg.test\" does not match host name \"other.test\""},
       }) {
    FakeServer server(encrypted(it.certificate, [](FakeSession& session) { session.hold(); }));
    Client client;
    CHECK(client.start(server, SslMode::verify_full, it.host) == Errc::tls_failed);
    CHECK(client.reason == it.reason);
  }
}

TEST_CASE("a server that talks no TLS, or leaves, fails the handshake") {
  FakeServer babbler([](FakeSession& session) {
    session.answer_ssl_request("S");
    session.send("this is no TLS record at all");
    session.hold();
  });
  FakeServer leaver([](FakeSession& session) { session.answer_ssl_request("S"); });
  for (const FakeServer* server : {&babbler, &leaver}) {
    Client client;
    const std::error_code error = client.start(*server, SslMode::require);
    CHECK(error);
    CHECK(!client.stream.tls_facts().verified);
  }
}
