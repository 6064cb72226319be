#include "src/data/sql_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

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

std::string rows_in(const workloads::api::TableSpec& table, std::span<const std::uint64_t> rows) {
  if (!table.key_text) return key_in(table.key, rows);
  std::string list;
  for (const std::uint64_t row : rows) list += (list.empty() ? "" : ",") + quote_text(table.key_text(row));
  return fmt::format("{} IN ({})", quote_name(table.key), list);
}

std::string rows_between(const workloads::api::TableSpec& table, std::uint64_t first, std::uint64_t last) {
  if (!table.key_text) return fmt::format("{} BETWEEN {} AND {}", quote_name(table.key), first, last);
  std::vector<std::uint64_t> rows(last - first + 1);
  std::iota(rows.begin(), rows.end(), first);
  return rows_in(table, rows);
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
