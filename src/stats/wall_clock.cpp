#include "src/stats/wall_clock.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>

namespace pgload::stats {
namespace {

using std::chrono::microseconds;

/// Takes `digits` digits, then `end` unless it is 0. Negative: they are not there.
int take_number(std::string_view& text, std::size_t digits, char end) {
  const std::size_t length = digits + (end != 0 ? 1 : 0);
  if (text.size() < length || (end != 0 && text[digits] != end)) {
    return -1;
  }
  int number = -1;
  const char* stop = text.data() + digits;
  if (text[0] == '-' || std::from_chars(text.data(), stop, number).ptr != stop) {
    return -1;
  }
  text.remove_prefix(length);
  return number;
}

/// ".25" -> 250,000 µs; decimals beyond the sixth are dropped.
std::optional<microseconds> take_decimals(std::string_view text) {
  if (text.empty()) {
    return microseconds(0);
  }
  if (text[0] != '.' || text.size() < 2 || text.size() > 10) {
    return std::nullopt;
  }
  text.remove_prefix(1);
  std::int64_t parts = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    const char digit = i < text.size() ? text[i] : '0';
    parts = parts * 10 + (digit - '0');
  }
  return text.find_first_not_of("0123456789") == std::string_view::npos ? std::optional(microseconds(parts))
                                                                        : std::nullopt;
}

}  // namespace

WallTime wall_now() { return std::chrono::floor<microseconds>(std::chrono::system_clock::now()); }

std::string utc_text(WallTime time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%06dZ",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
                static_cast<int>(clock.minutes().count()), static_cast<int>(clock.seconds().count()),
                static_cast<int>(clock.subseconds().count()));
  return text.data();
}

std::optional<WallTime> parse_utc(std::string_view text) {
  if (!text.ends_with('Z')) {
    return std::nullopt;
  }
  text.remove_suffix(1);
  const int year = take_number(text, 4, '-');
  const int month = take_number(text, 2, '-');
  const int day = take_number(text, 2, 'T');
  const int hour = take_number(text, 2, ':');
  const int minute = take_number(text, 2, ':');
  const int second = take_number(text, 2, 0);
  const auto decimals = take_decimals(text);
  const auto date = std::chrono::year(year) / month / day;
  if (month < 0 || day < 0 || !date.ok() || hour < 0 || hour > 23 || minute < 0 || minute > 59 ||
      second < 0 || second > 59 || !decimals) {
    return std::nullopt;
  }
  return std::chrono::sys_days(date) + std::chrono::hours(hour) + std::chrono::minutes(minute) +
         std::chrono::seconds(second) + *decimals;
}

}  // namespace pgload::stats
