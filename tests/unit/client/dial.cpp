#include "proto_pg/client/dial.hpp"

#include <doctest/doctest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <string>
#include <string_view>

#include "proto_pg/client/deadline.hpp"
#include "tests/support/loop.hpp"
#include "tests/unit/client/sockets.hpp"

using namespace proto_pg::client;
using proto_pg::wire::Errc;
using Kind = TlsAnswer::Kind;

namespace {

/// A TCP socket on a free loopback port; it answers only if it listens.
struct Port {
  int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  Endpoint endpoint;

  explicit Port(bool listens) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    socklen_t size = sizeof address;
    REQUIRE(::bind(fd, any, size) == 0);
    REQUIRE(::getsockname(fd, any, &size) == 0);
    if (listens) REQUIRE(::listen(fd, 1) == 0);
    endpoint.storage.assign(reinterpret_cast<const char*>(&address), sizeof address);
  }
  ~Port() { ::close(fd); }
  Port(const Port&) = delete;
  Port& operator=(const Port&) = delete;
};

int option(int fd, int level, int name) {
  int value = -1;
  socklen_t size = sizeof value;
  REQUIRE(::getsockopt(fd, level, name, &value, &size) == 0);
  return value;
}

/// What the client makes of `said` in answer to its SSLRequest.
TlsAnswer answer_to(std::string_view said, bool then_closes = false) {
  support::Loop loop;
  sockets::Pair pair;
  Stream stream(loop.poller());
  REQUIRE(!stream.open(pair.ours));
  REQUIRE(::send(pair.peer, said.data(), said.size(), 0) == static_cast<ssize_t>(said.size()));
  if (then_closes) ::shutdown(pair.peer, SHUT_WR);
  TlsAnswer answer = loop.run(request_tls(stream));
  char request[16];
  CHECK(::recv(pair.peer, request, sizeof request, MSG_DONTWAIT) == 8);
  CHECK(std::string_view(request, 8) == std::string_view("\0\0\0\x08\x04\xd2\x16\x2f", 8));
  return answer;
}

}  // namespace

TEST_CASE("a listener is connected to, with the options asked for") {
  support::Loop loop;
  const Port port(true);
  ConnectInfo info;
  info.keepalives.idle = std::chrono::seconds(11);
  info.keepalives.interval = std::chrono::seconds(12);
  info.keepalives.count = 13;
  info.tcp_user_timeout = std::chrono::milliseconds(1400);
  Stream stream(loop.poller());
  const std::error_code error = loop.run(connect_socket(stream, info, port.endpoint));
  CHECK(!error);
  REQUIRE(stream.is_open());
  CHECK(option(stream.fd(), IPPROTO_TCP, TCP_NODELAY) == 1);
  CHECK(option(stream.fd(), SOL_SOCKET, SO_KEEPALIVE) == 1);
  CHECK(option(stream.fd(), IPPROTO_TCP, TCP_KEEPIDLE) == 11);
  CHECK(option(stream.fd(), IPPROTO_TCP, TCP_KEEPINTVL) == 12);
  CHECK(option(stream.fd(), IPPROTO_TCP, TCP_KEEPCNT) == 13);
  CHECK(option(stream.fd(), IPPROTO_TCP, TCP_USER_TIMEOUT) == 1400);
}

TEST_CASE("keepalives=0 leaves them off") {
  support::Loop loop;
  const Port port(true);
  ConnectInfo info;
  info.keepalives.enabled = false;
  Stream stream(loop.poller());
  const std::error_code error = loop.run(connect_socket(stream, info, port.endpoint));
  CHECK(!error);
  CHECK(option(stream.fd(), SOL_SOCKET, SO_KEEPALIVE) == 0);
}

TEST_CASE("nobody listening is connection refused") {
  support::Loop loop;
  const Port port(false);
  const ConnectInfo info;
  Stream stream(loop.poller());
  const std::error_code error = loop.run(connect_socket(stream, info, port.endpoint));
  CHECK(error == std::errc::connection_refused);
}

TEST_CASE("a stream that was shut down connects nowhere") {
  support::Loop loop;
  const Port port(true);
  const ConnectInfo info;
  Stream stream(loop.poller());
  stream.shutdown();
  const std::error_code error = loop.run(connect_socket(stream, info, port.endpoint));
  CHECK(error == Errc::cancelled);
}

TEST_CASE("SSLRequest: one byte says yes or no") {
  CHECK(answer_to("S").kind == Kind::yes);
  CHECK(answer_to("N").kind == Kind::no);
}

TEST_CASE("SSLRequest: anything behind the byte, or another byte, breaks the protocol") {
  for (const std::string_view said : {"S\x16", "NR", "X"}) {
    const TlsAnswer answer = answer_to(said);
    CHECK(answer.kind == Kind::broken);
    CHECK(answer.error == Errc::protocol_violation);
  }
}

TEST_CASE("SSLRequest: a server that closes has not said no") {
  const TlsAnswer answer = answer_to("", true);
  CHECK(answer.kind == Kind::broken);
  CHECK(answer.error == Errc::connection_closed);
}

TEST_CASE("SSLRequest: a refusal is read in both of its forms") {
  const TlsAnswer old = answer_to(std::string_view("Eno more room\n\0", 15), true);
  CHECK(old.kind == Kind::refused);
  CHECK(old.server.message == "no more room");
  const TlsAnswer fields = answer_to(std::string_view("E\0\0\0\x18SFATAL\0C53300\0Mfull\0\0", 26), true);
  CHECK(fields.kind == Kind::refused);
  CHECK(fields.server.sqlstate == proto_pg::wire::sqlstate::kTooManyConnections);
  CHECK(fields.server.message == "full");
}

TEST_CASE("a deadline shuts the stream down; one that is gone does not") {
  support::Loop loop;
  sockets::Pair pair;
  Stream stream(loop.poller());
  REQUIRE(!stream.open(pair.ours));
  {
    const Deadline gone(loop.context().get_executor(), stream, std::chrono::milliseconds(1));
  }
  {
    const Deadline never(loop.context().get_executor(), stream, std::chrono::milliseconds(0));
    loop.context().restart();
    loop.context().run();
    CHECK_FALSE(never.expired());
  }
  CHECK_FALSE(stream.shut_down());
  const Deadline deadline(loop.context().get_executor(), stream, std::chrono::milliseconds(1));
  loop.run(stream.wait(Readiness::readable));
  CHECK(deadline.expired());
  CHECK(stream.shut_down());
}
