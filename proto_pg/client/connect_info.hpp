#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proto_pg/wire/startup.hpp"

namespace proto_pg::client {

enum class SslMode : std::uint8_t { disable, allow, prefer, require, verify_ca, verify_full };
enum class TlsVersion : std::uint8_t { any, tls1, tls1_1, tls1_2, tls1_3 };

/// As the parameter spells it: "verify-full".
std::string_view to_string(SslMode mode);

/// One entry of the host list. `host` is what certificates are checked against and reports show.
struct Host {
  std::string host;      ///< name, address, or a directory (starts with '/' or '@'): Unix socket
  std::string hostaddr;  ///< numeric address to connect to instead of resolving `host`; may be empty
  std::uint16_t port = 5432;
  std::optional<std::string> password;  ///< given, or found in the password file for this very host

  bool unix_socket() const { return hostaddr.empty() && !host.empty() && (host[0] == '/' || host[0] == '@'); }
  /// "db1:5432", "[::1]:5432", "/tmp:5432": as reports name it.
  std::string name() const;
};

struct Keepalives {
  bool enabled = true;
  std::chrono::seconds idle{0};      ///< 0: the system's default
  std::chrono::seconds interval{0};  ///< 0: the system's default
  int count = 0;                     ///< 0: the system's default
};

/// Where and how to connect: parsed once, never changed after.
struct ConnectInfo {
  std::vector<Host> hosts;  ///< never empty
  std::string user;
  std::string database;
  std::string application_name = "pgload";
  std::string options;

  SslMode sslmode = SslMode::prefer;
  wire::ChannelBinding channel_binding = wire::ChannelBinding::prefer;
  std::string sslrootcert;  ///< file, "system", or empty: ~/.postgresql/root.crt if it exists
  std::string sslcert;      ///< file, or empty: ~/.postgresql/postgresql.crt if it exists
  std::string sslkey;       ///< file, or empty: ~/.postgresql/postgresql.key if it exists
  bool sslsni = true;
  TlsVersion ssl_min_protocol_version = TlsVersion::tls1_2;
  TlsVersion ssl_max_protocol_version = TlsVersion::any;

  std::chrono::milliseconds connect_timeout{10'000};  ///< zero: no limit
  Keepalives keepalives;
  std::chrono::milliseconds tcp_user_timeout{0};  ///< zero: the system's default
};

/// Bad usage: a sentence that names the parameter and the remedy; never contains a password.
struct ConnectInfoError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What a command line may say about the connection. Unset members were not given.
struct ConnectFlags {
  std::optional<std::string> host;      ///< -h: comma-separated list
  std::optional<std::string> port;      ///< -p: comma-separated list
  std::optional<std::string> user;      ///< -U
  std::optional<std::string> dbname;    ///< -d: a name, a postgresql:// URI or a keyword=value string
  std::optional<std::string> password;  ///< typed at the -W prompt
};

/// Everything outside the arguments that decides: injected, so that tests need no environment of their own.
struct Surroundings {
  std::function<std::optional<std::string>(std::string_view name)> environment;
  std::string home;       ///< of the current user; may be empty
  std::string user_name;  ///< of the operating system: the default user
  std::function<void(std::string_view sentence)> warn;
  /// Where a server's socket is if no host is given; the distribution's folder where there is one.
  std::string socket_directory = "/tmp";

  /// Without `warn`.
  static Surroundings of_this_process();
};

/// Merges flag > conninfo > environment > default by libpq's rules (manual: "Database Connection Control
/// Functions", "Environment Variables", "The Password File"), with these differences: a flag wins over a URI;
/// connect_timeout is 10 s if not given; a password that is given and empty wins over the environment and the
/// password file. An empty flag counts as not given, as in psql.
///
/// What libpq refuses throws ConnectInfoError; its parameters that are not supported yet (service, sslcrl,
/// require_auth, target_session_attrs other than any, …) throw, named, when given a value that would change
/// anything. client_encoding may be UTF8, SQL_ASCII or auto (taken as UTF8); it, PGDATESTYLE, PGTZ and PGGEQO
/// travel in `options`.
ConnectInfo make_connect_info(const ConnectFlags& flags, const Surroundings& surroundings);

/// keyword -> value of a `postgresql://` URI or a keyword=value string, as written, without any default.
/// The aliases are resolved: ssl=true in a URI, requiressl. Throws ConnectInfoError.
std::map<std::string, std::string> parse_conninfo(std::string_view text);

/// True if libpq would take a dbname as a connection string: a known URI prefix or an '='.
bool is_conninfo(std::string_view dbname);

/// [begin, end) of the bytes of `text` that hold secrets, in order, without overlap, so that they can be
/// wiped from an argument list. `text` is a URI, a keyword=value string or a plain name, and need not be well
/// formed: where it is unclear how far a password reaches (a stray '@' or space), too much is taken rather
/// than too little.
std::vector<std::pair<std::size_t, std::size_t>> password_spans(std::string_view text);

/// `text` with "***" in place of each of its secrets, for messages.
std::string redacted(std::string_view text);

}  // namespace proto_pg::client
