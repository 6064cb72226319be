#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstddef>
#include <cstring>
#include <memory>

#include "proto_pg/client/connection.hpp"

namespace proto_pg::client {
namespace {

/// "<directory>/.s.PGSQL.<port>", or the same in the abstract name space for '@'.
std::vector<Endpoint> unix_endpoint(const Host& host, std::string& reason) {
  std::string path = host.host + "/.s.PGSQL." + std::to_string(host.port);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    reason = "Unix socket path \"" + path + "\" is too long (at most " +
             std::to_string(sizeof address.sun_path - 1) + " bytes)";
    return {};
  }
  const bool abstract = path[0] == '@';
  std::memcpy(address.sun_path, path.data(), path.size());
  if (abstract) address.sun_path[0] = '\0';
  // An abstract name has no end but the address's length; a path keeps its closing zero.
  const std::size_t size = offsetof(sockaddr_un, sun_path) + path.size() + (abstract ? 0 : 1);
  return {Endpoint{std::string(reinterpret_cast<const char*>(&address), size), std::move(path)}};
}

std::string numeric_text(const sockaddr* address, socklen_t size, const std::string& port) {
  char text[NI_MAXHOST] = "";
  ::getnameinfo(address, size, text, sizeof text, nullptr, 0, NI_NUMERICHOST);
  std::string name = text;
  if (address->sa_family == AF_INET6) name = '[' + name + ']';
  return name + ':' + port;
}

}  // namespace

std::vector<Endpoint> resolve(const Host& host, std::string& reason) {
  if (host.unix_socket()) return unix_endpoint(host, reason);
  const bool numeric = !host.hostaddr.empty();
  const std::string& name = numeric ? host.hostaddr : host.host;
  const std::string port = std::to_string(host.port);
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV | (numeric ? AI_NUMERICHOST : 0);
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(name.c_str(), port.c_str(), &hints, &found);
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, ::freeaddrinfo);
  if (error != 0) {
    reason = (numeric ? "hostaddr \"" : "host \"") + name +
             "\": " + (error == EAI_SYSTEM ? std::strerror(errno) : ::gai_strerror(error));
    return {};
  }
  std::vector<Endpoint> endpoints;
  for (const addrinfo* entry = found; entry; entry = entry->ai_next) {
    endpoints.push_back({std::string(reinterpret_cast<const char*>(entry->ai_addr), entry->ai_addrlen),
                         numeric_text(entry->ai_addr, entry->ai_addrlen, port)});
  }
  return endpoints;
}

}  // namespace proto_pg::client
