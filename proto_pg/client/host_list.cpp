// Where to connect: host, hostaddr and port (manual: "Specifying Multiple Hosts").
#include <netdb.h>
#include <sys/socket.h>

#include <memory>

#include "proto_pg/client/settings.hpp"

namespace proto_pg::client {
namespace {

/// "a,,b" is three items; nothing is one empty item.
std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> items;
  while (true) {
    const auto comma = list.find(',');
    items.emplace_back(list.substr(0, comma));
    if (comma == std::string_view::npos) return items;
    list.remove_prefix(comma + 1);
  }
}

std::string counted(std::size_t count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::uint16_t parse_port(const Settings& settings, const std::string& text) {
  if (text.empty()) return 5432;
  const auto port = parse_integer(text);
  if (port && *port >= 1 && *port <= 65535) return static_cast<std::uint16_t>(*port);
  if (settings.find("port")->from_uri)
    throw ConnectInfoError(
        "invalid port in the connection URI: use 1 to 65535, and write @ : / ? in a password as %40 %3A %2F "
        "%3F");
  throw ConnectInfoError("invalid " + settings.label("port") + " \"" + text + "\": use 1 to 65535");
}

void check_address(const Settings& settings, const std::string& address) {
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(address.c_str(), nullptr, &hints, &found);
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, ::freeaddrinfo);
  if (error != 0)
    throw ConnectInfoError("invalid " + settings.label("hostaddr") + " \"" + address +
                           "\": use a numeric IPv4 or IPv6 address, and host for a name");
}

}  // namespace

std::string Host::name() const {
  const std::string& shown = host.empty() ? hostaddr : host;
  const bool brackets = shown.find(':') != std::string::npos && shown[0] != '/' && shown[0] != '@';
  return (brackets ? "[" + shown + "]" : shown) + ":" + std::to_string(port);
}

std::vector<Host> make_hosts(const Settings& settings, const std::string& socket_directory) {
  const auto names = split(settings.text("host"));
  const auto addresses = split(settings.text("hostaddr"));
  const auto ports = split(settings.text("port"));
  const bool named = !settings.text("host").empty();
  const bool numeric = !settings.text("hostaddr").empty();
  if (named && numeric && names.size() != addresses.size())
    throw ConnectInfoError(counted(names.size(), "host name") + " but " +
                           counted(addresses.size(), "hostaddr value") + ": " + settings.label("host") +
                           " and " + settings.label("hostaddr") + " must have the same number of entries");
  std::vector<Host> hosts(numeric ? addresses.size() : names.size());
  if (ports.size() != 1 && ports.size() != hosts.size())
    throw ConnectInfoError(counted(ports.size(), "port") + " for " + counted(hosts.size(), "host") +
                           ": give " + settings.label("port") + " once for all hosts or once for each");
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    if (named) hosts[i].host = names[i];
    if (numeric) hosts[i].hostaddr = addresses[i];
    if (!hosts[i].hostaddr.empty()) check_address(settings, hosts[i].hostaddr);
    if (hosts[i].host.empty() && hosts[i].hostaddr.empty()) hosts[i].host = socket_directory;
    hosts[i].port = parse_port(settings, ports[ports.size() == 1 ? 0 : i]);
  }
  return hosts;
}

}  // namespace proto_pg::client
