// Where the secrets of a connection string stand, even in one that cannot be parsed.
#include <algorithm>

#include "proto_pg/client/connect_info.hpp"
#include "proto_pg/client/conninfo_keywords.hpp"
#include "proto_pg/client/conninfo_text.hpp"

namespace proto_pg::client {
namespace {

using Spans = std::vector<std::pair<std::size_t, std::size_t>>;

constexpr auto npos = std::string_view::npos;

bool is_secret(std::string_view name) {
  const auto* keyword = find_keyword(name);
  return keyword != nullptr && keyword->secret();
}

/// A stray word behind a bare secret is perhaps the rest of it: nothing from the secret's beginning on is
/// safe.
void extend_to_end(Spans& spans, std::size_t secret_begin, std::size_t end) {
  while (!spans.empty() && spans.back().first >= secret_begin) spans.pop_back();
  spans.emplace_back(secret_begin, end);
}

Spans spans_of_pairs(std::string_view text) {
  Spans spans;
  std::size_t bare_secret = npos;  // where the first unquoted secret begins
  for (PairScanner scanner(text);;) {
    const auto pair = scanner.next();
    if (scanner.ended()) return spans;
    if (bare_secret != npos &&
        (scanner.problem() != PairScanner::Problem::none || find_keyword(pair.name) == nullptr)) {
      extend_to_end(spans, bare_secret, text.size());
      return spans;
    }
    const bool secret = is_secret(pair.name) || scanner.problem() == PairScanner::Problem::open_quote;
    if (secret && pair.value_end > pair.value_begin) spans.emplace_back(pair.value_begin, pair.value_end);
    if (secret && !pair.quoted) bare_secret = std::min(bare_secret, pair.value_begin);
  }
}

/// From the first ':' to an '@'. A password with an unencoded '@', '/' or '?' moves the end of what a parser
/// takes as the password, so the last '@' that can be meant counts, not the first.
void add_user_info(std::string_view text, std::size_t begin, Spans& spans) {
  const auto first_at = text.find('@', begin);
  const auto colon = text.find(':', begin);
  if (first_at == npos || colon == npos) return;
  const bool well_formed = text.find('/', begin) > first_at;
  const auto last_at = text.rfind('@', well_formed ? text.find('?', first_at) : npos);
  if (last_at > colon + 1) spans.emplace_back(colon + 1, last_at);
}

/// Every '?' may begin the query: one in the brackets of an address, or in a value, does not end what
/// follows.
void add_query(std::string_view text, std::size_t begin, Spans& spans) {
  std::size_t first_secret = npos;
  std::string name;
  for (auto mark = text.find('?', begin); mark != npos; mark = text.find_first_of("?&", begin)) {
    begin = mark + 1;
    const auto end = std::min(text.find('&', begin), text.size());
    const auto equals = std::min(text.find('=', begin), end);
    const bool known =
        equals < end && percent_decode(text.substr(begin, equals - begin), name) && find_keyword(name);
    if (text[mark] == '&' && !known && first_secret != npos && begin < end)
      return extend_to_end(spans, first_secret, text.size());
    if (!known || !is_secret(name) || equals + 1 == end) continue;
    spans.emplace_back(equals + 1, end);
    first_secret = std::min(first_secret, equals + 1);
    begin = end;
  }
}

Spans spans_of_uri(std::string_view text, std::size_t begin) {
  Spans spans;
  add_user_info(text, begin, spans);
  add_query(text, spans.empty() ? begin : spans.front().second, spans);
  return spans;
}

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> password_spans(std::string_view text) {
  // Not only the two known schemes: a mistyped one hides its password all the same.
  const auto scheme = text.find("://");
  const auto blank_or_pair = text.find_first_of("= '");
  if (scheme != npos && (blank_or_pair == npos || scheme < blank_or_pair))
    return spans_of_uri(text, scheme + 3);
  return is_conninfo(text) ? spans_of_pairs(text) : Spans{};
}

std::string redacted(std::string_view text) {
  std::string result;
  std::size_t done = 0;
  for (const auto& [begin, end] : password_spans(text)) {
    result.append(text.substr(done, begin - done)).append("***");
    done = end;
  }
  return result.append(text.substr(done));
}

}  // namespace proto_pg::client
