#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace pgload::cli {

/// The candidate that `name` was probably meant to be: few edits away (insert, delete, replace, swap
/// neighbours), or begun and not finished. The first of equals.
std::optional<std::string> nearest(std::string_view name, std::span<const std::string> candidates);

/// "; did you mean <prefix><nearest>?", or nothing.
std::string suggestion(std::string_view name, std::span<const std::string> candidates,
                       std::string_view prefix = "");

}  // namespace pgload::cli
