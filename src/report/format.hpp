#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Numbers as people read them: one notation for every text that pgload prints, whatever the locale.
namespace pgload::report {

inline constexpr std::string_view kNothing = "-";  ///< stands for what does not exist

/// 1234567 -> "1,234,567"
std::string grouped(std::uint64_t number);

/// Three significant figures, at most four decimals; from 1000 on all digits before the point:
/// 0.0523, 1.18, 43.2, 131, 1,520. "-" for what is not a finite number.
std::string significant(double number);

/// A count per second: 0.25, 3.50, 148.2, 1,482.1, 29,642.
std::string rate(double per_second);

/// Rounded to a whole number: 1,486.
std::string whole(double number);

/// A latency in ms, without the unit; "-" for nullopt.
std::string milliseconds(std::optional<std::chrono::nanoseconds> latency);
std::string milliseconds_of_us(std::optional<double> us);

/// 1.00 ms, 0.06 s, 9.99 s, 60.0 s, 86,400 s
std::string seconds(double s);

/// Decimal units: 512 B, 18.3 kB, 1.20 GB
std::string bytes(std::uint64_t n);

/// "1 session", "64 sessions": the noun's plural with an s.
std::string counted(std::uint64_t n, std::string_view noun);

/// 50 -> "p50", 99.9 -> "p99.9"
std::string percentile_name(double p);

}  // namespace pgload::report
