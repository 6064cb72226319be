#include "src/cli/quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ctime>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace pgload::cli {
namespace {

/// Digits with perhaps a decimal point, at the beginning of `text`, which moves on behind them.
std::optional<double> take_number(std::string_view& text) {
  if (text.empty() || !(text[0] == '.' || (text[0] >= '0' && text[0] <= '9'))) return std::nullopt;
  double value = 0;
  const auto parsed =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (parsed.ec != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(parsed.ptr - text.data()));
  return value;
}

std::optional<double> whole_number(std::string_view text) {
  const auto value = take_number(text);
  return text.empty() ? value : std::nullopt;
}

constexpr std::array<std::pair<std::string_view, std::uint64_t>, 7> kFactors{{{"", 1},
                                                                              {"k", 1'000},
                                                                              {"K", 1'000},
                                                                              {"m", 1'000'000},
                                                                              {"M", 1'000'000},
                                                                              {"g", 1'000'000'000},
                                                                              {"G", 1'000'000'000}}};

struct Unit {
  std::string_view name;
  double nanoseconds;
};
constexpr std::array kUnits{Unit{"d", 86'400e9}, Unit{"h", 3'600e9}, Unit{"m", 60e9},
                            Unit{"s", 1e9},      Unit{"ms", 1e6},    Unit{"us", 1e3}};

/// The unit at the beginning of `text`, which moves on behind it.
const Unit* take_unit(std::string_view& text) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto length = static_cast<std::size_t>(std::ranges::find_if_not(text, is_letter) - text.begin());
  const auto found = std::ranges::find(kUnits, text.substr(0, length), &Unit::name);
  text.remove_prefix(length);
  return found == kUnits.end() ? nullptr : &*found;
}

[[noreturn]] void no_duration() {
  throw QuantityError("a duration is wanted, such as 500ms, 1m30s, 2h or 10 (seconds)");
}

}  // namespace

std::chrono::nanoseconds parse_duration(std::string_view text) {
  // Above it, arithmetic with time points would overflow; 100 years are enough for a run.
  constexpr double kLongest = 100.0 * 365 * 86'400e9;
  double total = 0;
  if (const auto seconds = whole_number(text)) {
    total = *seconds * 1e9;
  } else {
    double previous = std::numeric_limits<double>::infinity();
    do {
      const auto number = take_number(text);
      const Unit* unit = number ? take_unit(text) : nullptr;
      if (!unit || unit->nanoseconds >= previous) no_duration();
      previous = unit->nanoseconds;
      total += *number * unit->nanoseconds;
    } while (!text.empty());
  }
  if (total > kLongest) throw QuantityError("a duration of at most 100 years is wanted");
  return std::chrono::nanoseconds(static_cast<std::int64_t>(total + 0.5));
}

std::optional<double> parse_real(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  const std::string_view suffix(parsed.ptr, static_cast<std::size_t>(end - parsed.ptr));
  const auto* unit = std::ranges::find(kFactors, suffix, [](const auto& factor) { return factor.first; });
  if (parsed.ec != std::errc() || unit == kFactors.end() || !std::isfinite(value)) return std::nullopt;
  return value * static_cast<double>(unit->second);
}

std::uint64_t parse_count(std::string_view text, std::uint64_t min, std::uint64_t max) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  const std::string_view suffix(parsed.ptr, static_cast<std::size_t>(end - parsed.ptr));
  const auto* unit = std::ranges::find(kFactors, suffix, [](const auto& factor) { return factor.first; });
  std::uint64_t value = 0;
  if (parsed.ec != std::errc() || unit == kFactors.end() ||
      __builtin_mul_overflow(number, unit->second, &value) || value < min || value > max)
    throw QuantityError(fmt::format("a whole number from {} to {} is wanted (units k, M, G)", min, max));
  return value;
}

std::vector<double> parse_percentiles(std::string_view text) {
  std::vector<double> list;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    const auto value = whole_number(text.substr(begin, end - begin));
    if (!value || *value > 100)
      throw QuantityError(
          "percentiles from 0 to 100 are wanted, with commas between them, such as 50,95,99.9");
    list.push_back(*value);
    begin = end + 1;
  }
  std::ranges::sort(list);
  const auto repeated = std::ranges::unique(list);
  list.erase(repeated.begin(), repeated.end());
  return list;
}

double parse_ratio(std::string_view text) {
  const bool percent = text.ends_with('%');
  const auto value = whole_number(percent ? text.substr(0, text.size() - 1) : text);
  const double ratio = value.value_or(-1) / (percent ? 100 : 1);
  if (ratio < 0 || ratio > 1) throw QuantityError("a share is wanted, such as 0.01 or 1%, at most 1 or 100%");
  return ratio;
}

std::chrono::system_clock::time_point parse_instant(std::string_view text) {
  using std::chrono::system_clock;
  constexpr double kLatest_s = 9e9;
  std::optional<double> seconds = whole_number(text);
  if (!seconds && text.ends_with('Z')) {
    std::tm parts{};
    const std::string copy(text.substr(0, text.size() - 1));
    const char* rest = ::strptime(copy.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
    const std::optional<double> fraction = rest == nullptr ? std::nullopt
                                           : *rest == 0    ? std::optional(0.0)
                                           : *rest == '.'  ? whole_number(rest)
                                                           : std::nullopt;
    if (fraction) seconds = static_cast<double>(::timegm(&parts)) + *fraction;
  }
  if (!seconds || *seconds > kLatest_s)
    throw QuantityError("a time is wanted, such as 2030-01-31T12:00:00Z (UTC) or seconds since 1970");
  return system_clock::time_point(std::chrono::microseconds(std::llround(*seconds * 1e6)));
}

bool parse_switch(std::string_view text) {
  for (const std::string_view on : {"on", "true", "yes", "1"})
    if (text == on) return true;
  for (const std::string_view off : {"off", "false", "no", "0"})
    if (text == off) return false;
  throw QuantityError("on or off is wanted");
}

}  // namespace pgload::cli
