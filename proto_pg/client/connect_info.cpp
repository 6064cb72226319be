#include "proto_pg/client/connect_info.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "proto_pg/client/password_file.hpp"
#include "proto_pg/client/settings.hpp"

namespace proto_pg::client {
namespace {

bool equal_in_ascii(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

template <class Value>
struct Choice {
  std::string_view name;
  Value value;
};

constexpr auto kSslModes = std::to_array<Choice<SslMode>>({{"disable", SslMode::disable},
                                                           {"allow", SslMode::allow},
                                                           {"prefer", SslMode::prefer},
                                                           {"require", SslMode::require},
                                                           {"verify-ca", SslMode::verify_ca},
                                                           {"verify-full", SslMode::verify_full}});

constexpr auto kChannelBindings =
    std::to_array<Choice<wire::ChannelBinding>>({{"disable", wire::ChannelBinding::disable},
                                                 {"prefer", wire::ChannelBinding::prefer},
                                                 {"require", wire::ChannelBinding::require}});

constexpr auto kTlsVersions = std::to_array<Choice<TlsVersion>>({{"", TlsVersion::any},
                                                                 {"TLSv1", TlsVersion::tls1},
                                                                 {"TLSv1.1", TlsVersion::tls1_1},
                                                                 {"TLSv1.2", TlsVersion::tls1_2},
                                                                 {"TLSv1.3", TlsVersion::tls1_3}});

constexpr auto kSwitch = std::to_array<Choice<bool>>({{"0", false}, {"1", true}});

/// Settings sent in `options`; "auto" asks for the encoding of the locale, and all text here is UTF-8.
constexpr auto kEncodings = std::to_array<Choice<std::string_view>>(
    {{"UTF8", "UTF8"}, {"UTF-8", "UTF8"}, {"auto", "UTF8"}, {"SQL_ASCII", "SQL_ASCII"}});

enum class Letters : bool { exact, any_case };

/// One of `choices`, or `otherwise` if nobody gave the parameter.
template <class Value>
Value choose(const Settings& settings, std::string_view keyword, std::span<const Choice<Value>> choices,
             Value otherwise, Letters letters = Letters::exact) {
  const auto* setting = settings.find(keyword);
  if (setting == nullptr) return otherwise;
  std::string names;
  for (const auto& [name, value] : choices) {
    if (letters == Letters::exact ? setting->value == name : equal_in_ascii(setting->value, name))
      return value;
    if (!name.empty()) names.append(names.empty() ? "" : ", ").append(name);
  }
  throw ConnectInfoError("invalid " + settings.label(keyword) + " \"" + setting->value + "\": use one of " +
                         names);
}

/// Not negative: libpq takes less than 0 as 0.
int whole_number(const Settings& settings, std::string_view keyword, int otherwise) {
  const auto* setting = settings.find(keyword);
  if (setting == nullptr) return otherwise;
  if (const auto value = parse_integer(setting->value)) return std::max(*value, 0);
  throw ConnectInfoError("invalid " + settings.label(keyword) + " \"" + setting->value +
                         "\": use a whole number");
}

void set_ssl(ConnectInfo& info, const Settings& settings) {
  info.sslrootcert = settings.text("sslrootcert");
  info.sslcert = settings.text("sslcert");
  info.sslkey = settings.text("sslkey");
  const bool system_roots = info.sslrootcert == "system";
  info.sslmode =
      choose<SslMode>(settings, "sslmode", kSslModes, system_roots ? SslMode::verify_full : info.sslmode);
  if (system_roots && info.sslmode != SslMode::verify_full)
    throw ConnectInfoError(settings.label("sslmode") +
                           " is too weak for sslrootcert=system: use verify-full");
  info.channel_binding =
      choose<wire::ChannelBinding>(settings, "channel_binding", kChannelBindings, info.channel_binding);
  info.sslsni = choose<bool>(settings, "sslsni", kSwitch, info.sslsni);
  info.ssl_min_protocol_version = choose<TlsVersion>(settings, "ssl_min_protocol_version", kTlsVersions,
                                                     info.ssl_min_protocol_version, Letters::any_case);
  info.ssl_max_protocol_version = choose<TlsVersion>(settings, "ssl_max_protocol_version", kTlsVersions,
                                                     info.ssl_max_protocol_version, Letters::any_case);
  if (info.ssl_max_protocol_version != TlsVersion::any &&
      info.ssl_min_protocol_version > info.ssl_max_protocol_version)
    throw ConnectInfoError(settings.label("ssl_max_protocol_version") +
                           " is below ssl_min_protocol_version (TLSv1.2 if not given)");
}

void set_times(ConnectInfo& info, const Settings& settings) {
  // libpq raises 1 to 2: its clock counts whole seconds.
  if (settings.find("connect_timeout")) {
    const int seconds = whole_number(settings, "connect_timeout", 0);
    info.connect_timeout = std::chrono::seconds(seconds == 1 ? 2 : seconds);
  }
  info.keepalives.enabled = whole_number(settings, "keepalives", 1) != 0;
  info.keepalives.idle = std::chrono::seconds(whole_number(settings, "keepalives_idle", 0));
  info.keepalives.interval = std::chrono::seconds(whole_number(settings, "keepalives_interval", 0));
  info.keepalives.count = whole_number(settings, "keepalives_count", 0);
  info.tcp_user_timeout = std::chrono::milliseconds(whole_number(settings, "tcp_user_timeout", 0));
}

/// Appends a setting as the server's command line takes it (manual: "options" of "Parameter Key Words").
void add_option(std::string& options, std::string_view name, std::string_view value) {
  options.append(options.empty() ? "-c " : " -c ").append(name).append("=");
  for (const char c : value) {
    if (c == ' ' || c == '\\') options += '\\';
    options += c;
  }
}

void set_options(ConnectInfo& info, const Settings& settings, const Surroundings& surroundings) {
  info.options = settings.text("options");
  if (!settings.text("client_encoding").empty()) {
    add_option(info.options, "client_encoding",
               choose<std::string_view>(settings, "client_encoding", kEncodings, "", Letters::any_case));
  }
  if (!surroundings.environment) return;
  // As in libpq, these override `options`, and "default" leaves the server's own.
  constexpr std::array<std::pair<const char*, const char*>, 3> kSessionVariables{
      {{"PGDATESTYLE", "datestyle"}, {"PGTZ", "timezone"}, {"PGGEQO", "geqo"}}};
  for (const auto& [variable, name] : kSessionVariables) {
    const auto value = surroundings.environment(variable);
    if (value && !equal_in_ascii(*value, "default")) add_option(info.options, name, *value);
  }
}

void set_user_and_database(ConnectInfo& info, const Settings& settings, const Surroundings& surroundings) {
  info.user = settings.text("user");
  if (info.user.empty()) info.user = surroundings.user_name;
  if (info.user.empty())
    throw ConnectInfoError("no user name, and the operating system has none: use -U, user=... or PGUSER");
  info.database = settings.text("dbname");
  if (info.database.empty()) info.database = info.user;
}

void set_application_name(ConnectInfo& info, const Settings& settings) {
  if (settings.find("application_name")) {
    info.application_name = settings.text("application_name");
  } else if (settings.find("fallback_application_name")) {
    info.application_name = settings.text("fallback_application_name");
  }
}

void set_passwords(ConnectInfo& info, const Settings& settings, const Surroundings& surroundings) {
  const auto* given = settings.find("password");
  if (given && (!given->value.empty() || given->source != "PGPASSWORD")) {
    for (auto& host : info.hosts) host.password = given->value;
    return;
  }
  auto path = settings.text("passfile");
  if (path.empty() && !surroundings.home.empty()) path = surroundings.home + "/.pgpass";
  const auto file = PasswordFile::load(path, surroundings.warn);
  for (auto& host : info.hosts) {
    const auto& name = host.host.empty() ? host.hostaddr : host.host;
    const bool local = name == surroundings.socket_directory;  // the file's word for it
    host.password =
        file.find(local ? "localhost" : name, std::to_string(host.port), info.database, info.user);
  }
}

}  // namespace

std::string_view to_string(SslMode mode) { return kSslModes[static_cast<std::size_t>(mode)].name; }

ConnectInfo make_connect_info(const ConnectFlags& flags, const Surroundings& surroundings) {
  const Settings settings(flags, surroundings);
  ConnectInfo info;
  info.hosts = make_hosts(settings, surroundings.socket_directory);
  set_user_and_database(info, settings, surroundings);
  set_application_name(info, settings);
  set_options(info, settings, surroundings);
  set_ssl(info, settings);
  set_times(info, settings);
  set_passwords(info, settings, surroundings);
  return info;
}

}  // namespace proto_pg::client
