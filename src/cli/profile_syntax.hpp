#pragma once

#include <string_view>

#include "src/engine/load_profile.hpp"

namespace pgload::cli {

/// The grammar of --rate and --sessions: a number, or pieces with commas between them:
///
///     profile = number | piece {"," piece}
///     piece   = "ramp" number ".." number "over" time     a straight line
///             | "ramp to" number "over" time              from the level before
///             | "hold" time                               the level before
///             | "step" number "every" time "to" number    up or down to that level, each level held
///             | number "for" time
///
/// Numbers take k, M and G and powers of ten (1e3), times as everywhere. Behind its end the last level goes
/// on. Throws QuantityError; `what` names the quantity in its sentence: "rate".
engine::LoadProfile parse_profile(std::string_view text, std::string_view what, double highest);

}  // namespace pgload::cli
