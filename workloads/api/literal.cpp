#include "workloads/api/literal.hpp"

#include <algorithm>
#include <charconv>

namespace workloads::api {
namespace {

void append_text_literal(std::string& out, std::string_view text) {
  const bool escapes = text.find('\\') != std::string_view::npos;
  out += escapes ? " E'" : "'";
  for (const char c : text) {
    if (c == '\'' || (c == '\\' && escapes)) out += c;
    out += c;
  }
  out += '\'';
}

/// End of the quoted text, identifier or comment that begins at `at`; `at` itself if none begins there.
std::size_t skip_quoted(std::string_view sql, std::size_t at) {
  std::string_view closing;
  if (sql[at] == '\'' || sql[at] == '"') {
    closing = sql.substr(at, 1);
  } else if (sql.substr(at, 2) == "--") {
    closing = "\n";
  } else if (sql.substr(at, 2) == "/*") {
    closing = "*/";
  } else {
    return at;
  }
  const std::size_t end = sql.find(closing, at + (closing == "*/" ? 2 : 1));
  return end == std::string_view::npos ? sql.size() : end + closing.size();
}

}  // namespace

void append_literal(std::string& out, const Parameter& value) {
  if (value.kind == Parameter::Kind::text) return append_text_literal(out, value.text);
  char digits[24];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value.integer);
  const std::string_view text(digits, static_cast<std::size_t>(end - digits));
  const auto before = out.find_last_not_of(' ');
  const bool in_list = before != std::string::npos && (out[before] == '(' || out[before] == ',');
  if (value.integer < 0 && !in_list) {
    out.append("(").append(text).append(")");
  } else {
    out.append(text);
  }
}

std::size_t cut_at_parameters(PreparedStatement& statement) {
  const std::string_view sql = statement.sql;
  statement.literal_pieces.clear();
  statement.literal_order.clear();
  std::size_t parameters = 0;
  std::size_t piece = 0;
  std::size_t at = 0;
  while (at < sql.size()) {
    const std::size_t quoted_end = skip_quoted(sql, at);
    if (quoted_end != at) {
      at = quoted_end;
      continue;
    }
    std::uint16_t number = 0;
    const auto [end, error] = sql[at] == '$'
                                  ? std::from_chars(sql.data() + at + 1, sql.data() + sql.size(), number)
                                  : std::from_chars_result{nullptr, std::errc::invalid_argument};
    if (error != std::errc{} || number == 0) {
      ++at;
      continue;
    }
    statement.literal_pieces.emplace_back(sql.substr(piece, at - piece));
    statement.literal_order.push_back(static_cast<std::uint16_t>(number - 1));
    parameters = std::max<std::size_t>(parameters, number);
    at = piece = static_cast<std::size_t>(end - sql.data());
  }
  statement.literal_pieces.emplace_back(sql.substr(piece));
  return parameters;
}

}  // namespace workloads::api
