#pragma once

#include <cstdint>

namespace pgload::cli {

/// Raises the soft limit of open files to what so many sessions need. Throws UsageError with the numbers if
/// the hard limit is lower.
void raise_descriptor_limit(std::uint64_t sessions);

}  // namespace pgload::cli
