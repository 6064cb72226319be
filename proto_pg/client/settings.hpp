#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proto_pg/client/connect_info.hpp"

namespace proto_pg::client {

/// A parameter's text and who gave it.
struct Setting {
  std::string value;
  std::string source;     ///< "-p" or "PGPORT"; empty: the connection string
  bool from_uri = false;  ///< a piece of a URI may be a piece of a wrongly written password: never shown
};

/// The texts of all parameters that were given, by keyword, after precedence: flag, conninfo, environment.
class Settings {
 public:
  Settings(const ConnectFlags& flags, const Surroundings& surroundings);

  /// nullptr if nobody gave it.
  const Setting* find(std::string_view keyword) const;
  /// Its value; empty if nobody gave it.
  std::string text(std::string_view keyword) const;
  /// "sslmode (PGSSLMODE)", "port (-p)", "hostaddr": for messages.
  std::string label(std::string_view keyword) const;

 private:
  void add_connection_string(const std::string& dbname);
  void refuse_unsupported() const;

  std::map<std::string, Setting, std::less<>> settings_;
};

/// An int in decimal, spaces around it allowed; nullopt for anything else.
std::optional<int> parse_integer(std::string_view text);

/// host, hostaddr and port as a list, never empty, without passwords. A host that is empty is the default
/// socket directory.
std::vector<Host> make_hosts(const Settings& settings, const std::string& socket_directory);

}  // namespace proto_pg::client
