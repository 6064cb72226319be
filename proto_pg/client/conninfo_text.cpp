// The two spellings of a connection string (manual: "Connection Strings").
//
//     keyword/value = *(SP / keyword *SP "=" *SP value)
//     value         = *(any but SP, or "\" any) / "'" *(any but "'", or "\" any) "'"
//     uri           = ("postgresql://" / "postgres://") [user [":" password] "@"] host *("," host)
//                     ["/" dbname] ["?" keyword "=" value *("&" keyword "=" value)]
//     host          = ["[" address "]" / name] [":" port]        -- each part percent-encoded, each may be
//     empty
//
// No text from the string enters an error message but a keyword that can't be a piece of a password.
#include "proto_pg/client/conninfo_text.hpp"

#include <algorithm>

#include "proto_pg/client/connect_info.hpp"
#include "proto_pg/client/conninfo_keywords.hpp"

namespace proto_pg::client {
namespace {

using Values = std::map<std::string, std::string>;

constexpr std::string_view kInUri =
    "; in a URI write % as %25, @ as %40, : as %3A, / as %2F, ? as %3F, & as %26, a space as %20";

std::string at(std::size_t position) { return " (at character " + std::to_string(position + 1) + ")"; }

/// Keywords are words of the alphabet; anything else is shown to nobody.
bool presentable(std::string_view name) {
  return !name.empty() && name.size() <= 40 && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

[[noreturn]] void refuse_unknown(std::string_view name) {
  if (!presentable(name)) throw ConnectInfoError("connection string: unknown parameter, not even a word");
  std::string text = "unknown connection parameter \"" + std::string(name) + "\"";
  if (const auto nearest = nearest_keyword(name); !nearest.empty())
    text.append(": is ").append(nearest).append(" meant?");
  throw ConnectInfoError(text);
}

/// Stores a pair; false if there is no such parameter. A later value replaces an earlier one.
bool store(Values& values, std::string_view name, std::string value) {
  if (name == "requiressl") {  // the old spelling of sslmode, still taken by libpq
    values["sslmode"] = value.starts_with('1') ? "require" : "prefer";
    return true;
  }
  if (find_keyword(name) == nullptr) return false;
  values.insert_or_assign(std::string(name), std::move(value));
  return true;
}

// --- keyword=value --------------------------------------------------------------------------------------

Values parse_pairs(std::string_view text) {
  Values values;
  bool bare_secret = false;  // an unquoted secret came before: a stray word may be the rest of it
  for (PairScanner scanner(text);;) {
    const auto pair = scanner.next();
    switch (scanner.problem()) {
      case PairScanner::Problem::none:
        break;
      case PairScanner::Problem::no_equals_sign:
        throw ConnectInfoError("connection string: a parameter without \"=\"" + at(pair.name_begin) +
                               "; values with spaces need quotes, keyword='...'");
      case PairScanner::Problem::open_quote:
        throw ConnectInfoError("connection string: the quote of the value of \"" +
                               std::string(find_keyword(pair.name) ? pair.name : "a parameter") +
                               "\" is not closed; write a quote in a value as \\'");
    }
    if (scanner.ended()) return values;
    if (!store(values, pair.name, pair.value)) {
      if (bare_secret)
        throw ConnectInfoError("connection string: unknown parameter after a password" + at(pair.name_begin) +
                               "; a password with a space in it needs quotes, password='...'");
      refuse_unknown(pair.name);
    }
    const auto* keyword = find_keyword(pair.name);
    bare_secret = bare_secret || (keyword != nullptr && keyword->secret() && !pair.quoted);
  }
}

// --- URI ------------------------------------------------------------------------------------------------

std::string decoded(std::string_view text, std::string_view part) {
  std::string result;
  if (!percent_decode(text, result))
    throw ConnectInfoError("connection URI: a \"%\" in the " + std::string(part) +
                           " is not followed by two hexadecimal digits, or they are 00" +
                           std::string(kInUri));
  return result;
}

/// Consumes the text up to the first of `stops`, or all of it.
std::string_view take_until(std::string_view& rest, std::string_view stops) {
  const auto token = rest.substr(0, rest.find_first_of(stops));
  rest.remove_prefix(token.size());
  return token;
}

void parse_user_and_password(std::string_view& rest, Values& values) {
  const auto end = rest.find_first_of("@/");
  if (end == std::string_view::npos || rest[end] != '@') return;
  const auto whole = rest.substr(0, end);
  rest.remove_prefix(end + 1);
  const auto colon = whole.find(':');
  if (const auto user = whole.substr(0, colon); !user.empty()) values["user"] = decoded(user, "user");
  if (colon == std::string_view::npos) return;
  if (const auto password = whole.substr(colon + 1); !password.empty())
    values["password"] = decoded(password, "password");
}

std::string_view take_bracketed(std::string_view& rest) {
  const auto end = rest.find(']');
  if (end == std::string_view::npos)
    throw ConnectInfoError("connection URI: an IPv6 address has no closing \"]\"");
  const auto address = rest.substr(1, end - 1);
  if (address.empty()) throw ConnectInfoError("connection URI: an IPv6 address in brackets is empty");
  rest.remove_prefix(end + 1);
  if (!rest.empty() && std::string_view(":/?,").find(rest.front()) == std::string_view::npos)
    throw ConnectInfoError("connection URI: after the \"]\" of an IPv6 address only : , / or ? may follow" +
                           std::string(kInUri));
  return address;
}

/// Hosts and ports become two comma-separated lists of the same length, as the keywords take them.
void parse_hosts(std::string_view& rest, Values& values) {
  std::string hosts;
  std::string ports;
  while (true) {
    hosts += rest.starts_with('[') ? take_bracketed(rest) : take_until(rest, ":/?,");
    if (rest.starts_with(':')) {
      rest.remove_prefix(1);
      ports += take_until(rest, "/?,");
    }
    if (!rest.starts_with(',')) break;
    rest.remove_prefix(1);
    hosts += ',';
    ports += ',';
  }
  if (!hosts.empty()) values["host"] = decoded(hosts, "host");
  if (!ports.empty()) values["port"] = decoded(ports, "port");
}

void parse_query(std::string_view rest, Values& values) {
  bool after_secret = false;  // an unencoded '&' in a password makes a parameter of its rest
  while (!rest.empty()) {
    const auto pair = take_until(rest, "&");
    if (!rest.empty()) rest.remove_prefix(1);
    const auto equals = pair.find('=');
    if (equals == std::string_view::npos)
      throw ConnectInfoError("connection URI: a parameter after \"?\" has no \"=\"" + std::string(kInUri));
    auto name = decoded(pair.substr(0, equals), "name of a parameter");
    if (pair.find('=', equals + 1) != std::string_view::npos)
      throw ConnectInfoError("connection URI: the value of " +
                             std::string(find_keyword(name) ? name : "a parameter") +
                             " has a second \"=\"; write it as %3D");
    auto value = decoded(pair.substr(equals + 1), "value of a parameter");
    if (name == "ssl" && value == "true") {  // JDBC's spelling, taken by libpq too
      name = "sslmode";
      value = "require";
    }
    if (!store(values, name, std::move(value))) {
      if (after_secret)
        throw ConnectInfoError("connection URI: unknown parameter after a password" + std::string(kInUri));
      refuse_unknown(name);
    }
    const auto* keyword = find_keyword(name);
    after_secret = after_secret || (keyword != nullptr && keyword->secret());
  }
}

Values parse_uri(std::string_view rest) {
  Values values;
  parse_user_and_password(rest, values);
  parse_hosts(rest, values);
  if (rest.starts_with('/')) {
    rest.remove_prefix(1);
    if (const auto name = take_until(rest, "?"); !name.empty())
      values["dbname"] = decoded(name, "database name");
  }
  if (rest.starts_with('?')) parse_query(rest.substr(1), values);
  return values;
}

}  // namespace

bool percent_decode(std::string_view text, std::string& result) {
  const auto hex_digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
  };
  result.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result += text[i];
      continue;
    }
    if (text.size() - i < 3) return false;
    const int high = hex_digit(text[i + 1]);
    const int low = hex_digit(text[i + 2]);
    if (high < 0 || low < 0 || (high == 0 && low == 0)) return false;
    result += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return true;
}

PairScanner::Pair PairScanner::next() {
  problem_ = Problem::none;
  skip_spaces();
  Pair pair;
  pair.name_begin = position_;
  if (position_ == text_.size()) {
    ended_ = true;
    return pair;
  }
  while (position_ < text_.size() && text_[position_] != '=' && !is_space(text_[position_])) ++position_;
  pair.name = text_.substr(pair.name_begin, position_ - pair.name_begin);
  skip_spaces();
  if (position_ == text_.size() || text_[position_] != '=') {
    problem_ = Problem::no_equals_sign;
    return pair;
  }
  ++position_;
  skip_spaces();
  pair.quoted = position_ < text_.size() && text_[position_] == '\'';
  if (pair.quoted) ++position_;
  pair.value_begin = position_;
  const auto ends = [&](char c) { return pair.quoted ? c == '\'' : is_space(c); };
  for (; position_ < text_.size() && !ends(text_[position_]); ++position_) {
    if (text_[position_] == '\\' && ++position_ == text_.size()) break;
    pair.value += text_[position_];
  }
  pair.value_end = position_;
  if (pair.quoted && position_ == text_.size()) problem_ = Problem::open_quote;
  if (position_ < text_.size()) ++position_;  // the closing quote or a space
  return pair;
}

std::size_t uri_prefix_length(std::string_view text) {
  for (const std::string_view prefix : {"postgresql://", "postgres://"}) {
    if (text.starts_with(prefix)) return prefix.size();
  }
  return 0;
}

bool is_conninfo(std::string_view dbname) {
  return uri_prefix_length(dbname) > 0 || dbname.find('=') != std::string_view::npos;
}

std::map<std::string, std::string> parse_conninfo(std::string_view text) {
  if (text.find('\0') != std::string_view::npos)
    throw ConnectInfoError("connection string: a zero byte is not allowed");
  const auto prefix = uri_prefix_length(text);
  return prefix > 0 ? parse_uri(text.substr(prefix)) : parse_pairs(text);
}

}  // namespace proto_pg::client
