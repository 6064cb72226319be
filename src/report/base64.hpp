#pragma once

#include <optional>
#include <string>
#include <string_view>

/// RFC 4648, section 4: with padding, no line ends.
namespace pgload::report {

std::string base64(std::string_view bytes);
/// nullopt: not base64 of whole bytes.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace pgload::report
