#pragma once

#include <string_view>
#include <vector>

namespace pgload::cli {

/// The steps of a sweep: numbers with commas between them, where A..B goes on by doubling, A..BxF by the
/// factor F and A..B+S by S; B is always the last. "1,2,4..1024", "1000..50000x1.5", "10..100+10". Ascending,
/// each once, all above 0, at most 1000. Throws QuantityError.
std::vector<double> parse_steps(std::string_view text);

}  // namespace pgload::cli
