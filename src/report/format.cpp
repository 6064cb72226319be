#include "src/report/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace pgload::report {
namespace {

/// The decimal exponent of `number` after rounding to three figures: 9.996 has 1, as 10.0.
int exponent_of(double number) {
  const std::string text = fmt::format("{:.2e}", number);
  const char* digits = text.data() + text.find('e') + 1;
  if (*digits == '+') {
    ++digits;
  }
  int exponent = 0;
  std::from_chars(digits, text.data() + text.size(), exponent);
  return exponent;
}

/// Puts commas before every third digit of the whole part.
std::string with_commas(std::string number) {
  const std::size_t first = number.starts_with('-') ? 1 : 0;
  for (std::size_t at = std::min(number.find('.'), number.size()); at > first + 3;) {
    at -= 3;
    number.insert(at, 1, ',');
  }
  return number;
}

std::string fixed(double number, int decimals) {
  return with_commas(fmt::format("{:.{}f}", number, decimals));
}

}  // namespace

std::string grouped(std::uint64_t number) { return with_commas(fmt::format("{}", number)); }

std::string significant(double number) {
  if (!std::isfinite(number)) {
    return std::string(kNothing);
  }
  if (number == 0) {
    return "0";
  }
  return fixed(number, std::clamp(2 - exponent_of(number), 0, 4));
}

std::string rate(double per_second) {
  if (!std::isfinite(per_second)) {
    return std::string(kNothing);
  }
  if (per_second < 99.95) {
    return significant(per_second);
  }
  return fixed(per_second, per_second < 9'999.95 ? 1 : 0);
}

std::string whole(double number) { return std::isfinite(number) ? fixed(number, 0) : std::string(kNothing); }

std::string milliseconds(std::optional<std::chrono::nanoseconds> latency) {
  return latency ? significant(static_cast<double>(latency->count()) / 1e6) : std::string(kNothing);
}

std::string milliseconds_of_us(std::optional<double> us) {
  return us ? significant(*us / 1e3) : std::string(kNothing);
}

std::string seconds(double s) {
  if (!std::isfinite(s)) {
    return std::string(kNothing);
  }
  const double size = std::fabs(s);
  if (size > 0 && size < 0.005) {
    return significant(s * 1e3) + " ms";
  }
  return fixed(s, size < 9.995 ? 2 : size < 999.95 ? 1 : 0) + " s";
}

std::string bytes(std::uint64_t n) {
  constexpr std::array<std::string_view, 6> kUnits = {"kB", "MB", "GB", "TB", "PB", "EB"};
  if (n < 1000) {
    return fmt::format("{} B", n);
  }
  double size = static_cast<double>(n) / 1000;
  std::size_t unit = 0;
  for (; size >= 999.5 && unit + 1 < kUnits.size(); ++unit) {
    size /= 1000;
  }
  return fmt::format("{} {}", significant(size), kUnits[unit]);
}

std::string counted(std::uint64_t n, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(n), noun, n == 1 ? "" : "s");
}

std::string percentile_name(double p) { return fmt::format("p{}", p); }

}  // namespace pgload::report
