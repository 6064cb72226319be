#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

/// Wall-clock time as a label: ISO 8601 in UTC, "2025-01-31T12:00:00.123456Z". Nothing is measured with it.
namespace pgload::stats {

using WallTime = std::chrono::time_point<std::chrono::system_clock, std::chrono::microseconds>;

std::string utc_text(WallTime time);
WallTime wall_now();
/// Takes fewer decimals or none as well. nullopt for any other text.
std::optional<WallTime> parse_utc(std::string_view text);

}  // namespace pgload::stats
