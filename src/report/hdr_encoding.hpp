#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "src/stats/packed_histogram.hpp"

namespace pgload::report {

/// The histogram in HdrHistogram's own V2 encoding, compressed, as base64: what its libraries read. Unit 1
/// ns, 3 significant digits, from 1 ns to 1 h. It holds the counts only: where `exact` matters, it goes
/// beside it.
std::string hdr_base64(const stats::PackedHistogram& packed);

/// The packed counts inside `text`. nullopt: no such encoding, or a histogram of another unit or range.
std::optional<std::string> counts_of_hdr(std::string_view text);

}  // namespace pgload::report
