#include "src/data/sql_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pgload::data {
namespace {

/// Key words that PostgreSQL reserves (manual: "SQL Key Words") and that are likely names of tables or
/// columns.
constexpr std::array<std::string_view, 20> kReserved{
    "all",   "analyze", "check",  "column", "default", "desc",  "end",  "group", "limit", "offset",
    "order", "primary", "select", "table",  "to",      "union", "user", "using", "when",  "with"};

bool plain(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  const auto more = [&](char c) { return letter(c) || (c >= '0' && c <= '9'); };
  return !name.empty() && letter(name[0]) && std::ranges::all_of(name, more) &&
         std::ranges::find(kReserved, name) == kReserved.end();
}

std::string doubled(std::string_view text, char quote) {
  std::string out(1, quote);
  for (const char c : text) {
    if (c == quote) out += c;
    out += c;
  }
  return out + quote;
}

}  // namespace

std::string quote_name(std::string_view name) { return plain(name) ? std::string(name) : doubled(name, '"'); }

std::string quote_text(std::string_view text) {
  if (text.find('\\') == std::string_view::npos) return doubled(text, '\'');
  std::string escaped;
  for (const char c : text) {
    if (c == '\\') escaped += c;
    escaped += c;
  }
  return "E" + doubled(escaped, '\'');
}

std::string key_in(std::string_view key, std::span<const std::uint64_t> keys) {
  return fmt::format("{} IN ({})", quote_name(key), fmt::join(keys, ","));
}

std::string refusal(std::string_view doing, const proto_pg::wire::ServerError& error) {
  const auto characters = error.sqlstate.text();
  const std::string_view state(characters.data(), characters.size());
  std::string text = fmt::format("cannot {}: {} (SQLSTATE {})", doing, error.message, state);
  if (!error.detail.empty()) text += fmt::format("; {}", error.detail);
  if (!error.hint.empty()) text += fmt::format("\n{}", error.hint);
  return text;
}

}  // namespace pgload::data
