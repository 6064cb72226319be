#include "proto_pg/client/settings.hpp"

#include <algorithm>
#include <charconv>
#include <functional>

#include "proto_pg/client/conninfo_keywords.hpp"
#include "proto_pg/client/conninfo_text.hpp"

namespace proto_pg::client {
namespace {

/// "leave it out, or set it to disable or prefer"
std::string remedy(std::string_view harmless) {
  std::string text = "leave it out";
  if (harmless.starts_with('|')) harmless.remove_prefix(1);
  bool first = true;
  while (!harmless.empty()) {
    const auto value = harmless.substr(0, harmless.find('|'));
    text.append(first ? ", or set it to " : " or ").append(value);
    first = false;
    harmless.remove_prefix(std::min(value.size() + 1, harmless.size()));
  }
  return text;
}

}  // namespace

Settings::Settings(const ConnectFlags& flags, const Surroundings& surroundings) {
  if (flags.dbname && !flags.dbname->empty()) add_connection_string(*flags.dbname);
  const auto add_flag = [&](const char* keyword, const char* flag, const std::optional<std::string>& value) {
    if (value && !value->empty()) settings_[keyword] = {*value, flag};
  };
  add_flag("host", "-h", flags.host);
  add_flag("port", "-p", flags.port);
  add_flag("user", "-U", flags.user);
  if (flags.password) settings_["password"] = {*flags.password, "-W"};

  const auto environment = [&](std::string_view name) {
    return surroundings.environment ? surroundings.environment(name) : std::nullopt;
  };
  for (const auto& keyword : keywords()) {
    if (keyword.environment.empty() || find(keyword.name)) continue;
    if (auto value = environment(keyword.environment))
      settings_[std::string(keyword.name)] = {std::move(*value), std::string(keyword.environment)};
  }
  if (!find("sslmode") && environment("PGREQUIRESSL").value_or("").starts_with('1'))
    settings_["sslmode"] = {"require", "PGREQUIRESSL"};
  refuse_unsupported();
}

void Settings::add_connection_string(const std::string& dbname) {
  if (!is_conninfo(dbname)) {
    // A database may be named so, but then a mistyped URI would show its password as a database's name.
    if (dbname.find("://") != std::string::npos)
      throw ConnectInfoError("dbname (-d): the URI's scheme must be postgresql:// or postgres://");
    settings_["dbname"] = {dbname, "-d"};
    return;
  }
  const bool uri = uri_prefix_length(dbname) > 0;
  for (auto& [keyword, value] : parse_conninfo(dbname)) settings_[keyword] = {value, "", uri};
}

void Settings::refuse_unsupported() const {
  for (const auto& keyword : keywords()) {
    if (keyword.supported()) continue;
    const auto* setting = find(keyword.name);
    if (setting == nullptr || keyword.harmless_value(setting->value)) continue;
    throw ConnectInfoError("connection parameter " + label(keyword.name) +
                           " is not supported yet with this value: " + remedy(keyword.harmless));
  }
}

const Setting* Settings::find(std::string_view keyword) const {
  const auto found = settings_.find(keyword);
  return found == settings_.end() ? nullptr : &found->second;
}

std::string Settings::text(std::string_view keyword) const {
  const auto* setting = find(keyword);
  return setting ? setting->value : std::string();
}

std::string Settings::label(std::string_view keyword) const {
  const auto* setting = find(keyword);
  if (setting == nullptr || setting->source.empty()) return std::string(keyword);
  return std::string(keyword) + " (" + setting->source + ")";
}

std::optional<int> parse_integer(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace proto_pg::client
