#pragma once

// What follows from what was found in the database: pure functions.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pgload::data {

/// Pattern for LIKE that matches names starting with `prefix` literally.
std::string like_prefix(std::string_view prefix);

/// How far the series 1, 2, 3 … goes without a gap among `numbers`; what is not a plain number is left out.
std::uint64_t unbroken(std::span<const std::string> numbers);

/// Compares the highest keys with the rows asked for. Clearly fewer (below 99 %) in any table: throws
/// DataError. Others add one note each for all tables with a little fewer and with more.
void judge_rows(std::span<const std::string> names, std::span<const std::uint64_t> ends, std::uint64_t asked,
                std::vector<std::string>& notes);

}  // namespace pgload::data
