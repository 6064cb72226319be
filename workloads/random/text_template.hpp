#pragma once

#include <span>
#include <string_view>

#include "workloads/random/generator.hpp"

namespace workloads::random {

/// Fills `out` with `pattern`, every '#' replaced by an independent uniform decimal digit. out.size() must be
/// pattern.size().
void fill_template(std::string_view pattern, Generator& generator, std::span<char> out);

}  // namespace workloads::random
