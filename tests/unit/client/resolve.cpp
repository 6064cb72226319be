#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/un.h>

#include <cstddef>
#include <cstring>
#include <string>

#include "proto_pg/client/connection.hpp"

using namespace proto_pg::client;

namespace {

Host named(std::string host, std::string hostaddr = {}) {
  Host result;
  result.host = std::move(host);
  result.hostaddr = std::move(hostaddr);
  result.port = 5433;
  return result;
}

std::vector<Endpoint> resolved(const Host& host) {
  std::string reason;
  auto endpoints = resolve(host, reason);
  CHECK(reason == "");
  REQUIRE(!endpoints.empty());
  return endpoints;
}

std::string reason_for(const Host& host) {
  std::string reason;
  CHECK(resolve(host, reason).empty());
  return reason;
}

}  // namespace

TEST_CASE("a directory is a Unix socket in it") {
  const auto endpoints = resolved(named("/run/pg"));
  CHECK(endpoints[0].text == "/run/pg/.s.PGSQL.5433");
  const auto* address = reinterpret_cast<const sockaddr_un*>(endpoints[0].storage.data());
  CHECK(address->sun_family == AF_UNIX);
  CHECK(std::string(address->sun_path) == "/run/pg/.s.PGSQL.5433");
}

TEST_CASE("'@' is the abstract name space: a zero byte first, and no byte behind the name") {
  const auto endpoints = resolved(named("@pg"));
  const std::string name("\0pg/.s.PGSQL.5433", 17);
  CHECK(endpoints[0].storage.substr(offsetof(sockaddr_un, sun_path)) == name);
}

TEST_CASE("a socket path that does not fit is told, with the limit") {
  CHECK(reason_for(named("/" + std::string(108 - 1 - 14, 'x'))).find("at most 107") != std::string::npos);
  CHECK(resolved(named("/" + std::string(107 - 1 - 14, 'x'))).size() == 1);
}

TEST_CASE("addresses keep their port and are shown as addresses") {
  const auto v4 = resolved(named("127.0.0.1"));
  CHECK(v4[0].text == "127.0.0.1:5433");
  const auto* address = reinterpret_cast<const sockaddr_in*>(v4[0].storage.data());
  CHECK(ntohs(address->sin_port) == 5433);
  CHECK(v4[0].storage.size() == sizeof(sockaddr_in));
  CHECK(resolved(named("::1"))[0].text == "[::1]:5433");
}

TEST_CASE("hostaddr is connected to instead of host, and is never looked up") {
  CHECK(resolved(named("no.such.host.invalid", "127.0.0.2"))[0].text == "127.0.0.2:5433");
  CHECK(reason_for(named("localhost", "localhost")).find("hostaddr \"localhost\"") != std::string::npos);
}
