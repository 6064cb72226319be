#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "proto_pg/client/connection.hpp"
#include "proto_pg/client/scram_key_cache.hpp"
#include "proto_pg/client/tls_context.hpp"
#include "proto_pg/wire/errc.hpp"
#include "tests/support/fake_server.hpp"
#include "tests/support/loop.hpp"

using namespace proto_pg::client;
using proto_pg::wire::Errc;
using support::FakeServer;
using support::FakeSession;

namespace {

OpenFailure open(const FakeServer& server) {
  ConnectInfo info;
  info.sslmode = SslMode::disable;
  info.user = "alice";
  Host host;
  host.host = "127.0.0.1";
  host.port = server.port();
  info.hosts.push_back(host);
  const Surroundings surroundings;
  const TlsContext tls(info, surroundings);
  ScramKeyCache scram_keys;
  const ConnectContext context{info, tls, scram_keys};
  std::string reason;
  const std::vector<Endpoint> endpoints = resolve(host, reason);
  support::Loop loop;
  Connection connection(loop.poller());
  return loop.run(connection.open(context, host, endpoints));
}

}  // namespace

TEST_CASE("the text of a server that cannot even fork, in one piece and in many") {
  static constexpr std::string_view kText("Ecould not fork new process for connection: No memory\n\0", 55);
  for (const bool sliced : {false, true}) {
    FakeServer server([sliced](FakeSession& session) {
      (void)session.startup_packet();
      if (sliced) {
        session.send_sliced(kText);
      } else {
        session.send(kText);
      }
    });
    const OpenFailure failure = open(server);
    CHECK(failure.code == Errc::refused_by_server);
    CHECK(failure.server.message == "could not fork new process for connection: No memory");
    CHECK(failure.text.find("could not fork") != std::string::npos);
    CHECK(server.finish() == "");
  }
}
