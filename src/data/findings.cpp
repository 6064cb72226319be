#include "src/data/findings.hpp"

#include <fmt/format.h>

#include <charconv>
#include <set>

#include "src/data/data.hpp"
#include "src/data/sql_text.hpp"
#include "workloads/api/grouped.hpp"

namespace pgload::data {
namespace {

/// Names of one kind, as a note tells of them: the first by name, the others by number.
struct Remarkable {
  std::string first;
  std::uint64_t rows = 0;  ///< of the first
  std::size_t count = 0;

  void add(const std::string& name, std::uint64_t end) {
    if (count++ == 0) {
      first = name;
      rows = end;
    }
  }
  std::string who() const {
    if (count == 1) return first + " has";
    return fmt::format("{} and {} more table{} have", first, count - 1, count == 2 ? "" : "s");
  }
};

}  // namespace

std::string like_prefix(std::string_view prefix) {
  std::string pattern;
  for (const char c : prefix) {
    if (c == '_' || c == '%' || c == '\\') pattern += '\\';
    pattern += c;
  }
  return pattern + '%';
}

std::uint64_t unbroken(std::span<const std::string> numbers) {
  std::set<std::uint64_t> seen;
  for (const auto& text : numbers) {
    std::uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, number);
    const bool plain = parsed.ec == std::errc() && parsed.ptr == end && text[0] != '0';
    if (plain) seen.insert(number);
  }
  std::uint64_t length = 0;
  while (seen.contains(length + 1)) ++length;
  return length;
}

void judge_rows(std::span<const std::string> names, std::span<const std::uint64_t> ends, std::uint64_t asked,
                std::vector<std::string>& notes) {
  Remarkable fewer, more;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (ends[i] < asked - asked / 100)
      throw DataError(
          fmt::format("table {} has about {} rows, {} asked: run `pgload prepare` first, or ask for fewer",
                      names[i], workloads::api::grouped(ends[i]), workloads::api::grouped(asked)));
    if (ends[i] < asked) fewer.add(names[i], ends[i]);
    if (ends[i] > asked) more.add(names[i], ends[i]);
  }
  if (fewer.count > 0)
    notes.push_back(fmt::format("{} a few rows less than asked (up to {} of {}): some reads may find nothing",
                                fewer.who(), workloads::api::grouped(fewer.rows),
                                workloads::api::grouped(asked)));
  if (more.count > 0)
    notes.push_back(fmt::format("{} more rows than asked (at least {}): only the first {} are used",
                                more.who(), workloads::api::grouped(more.rows),
                                workloads::api::grouped(asked)));
}

}  // namespace pgload::data
