#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace pgload::cli {

/// A text that is not the quantity wanted; what() says what is ("a duration is wanted, …").
struct QuantityError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// All of them take the whole text or throw QuantityError, and do not depend on the locale.

/// "500ms", "1m30s", "1.5h": units from large to small (d h m s ms us); a number alone is seconds.
std::chrono::nanoseconds parse_duration(std::string_view text);

/// "20k", "1M", "5000000000": decimal units k, M, G; min and max included.
std::uint64_t parse_count(std::string_view text, std::uint64_t min, std::uint64_t max);

/// "5000", "2.5k", "1e-3": a number with a decimal unit k, M or G; nullopt for anything else.
std::optional<double> parse_real(std::string_view text);

/// "50,95,99.9": each in 0..100; ascending, each once.
std::vector<double> parse_percentiles(std::string_view text);

/// "0.01" or "1%": 0..1.
double parse_ratio(std::string_view text);

/// "2030-01-31T12:00:00Z", with decimals of a second if wanted, or seconds since 1970.
std::chrono::system_clock::time_point parse_instant(std::string_view text);

/// on/off, true/false, yes/no, 1/0.
bool parse_switch(std::string_view text);

}  // namespace pgload::cli
