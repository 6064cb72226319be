#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Texts of a server, which may be anything: made safe to show.
namespace pgload::report {

/// Valid UTF-8 with nothing in it that a terminal obeys: control and direction characters and bytes that are
/// not UTF-8 become \n, \t, \x1b and so on. More than `max_characters` are cut: "... [1,048,576 bytes]".
std::string visible(std::string_view text, std::size_t max_characters = 200);

/// Bytes that are not UTF-8 become \xE9; all else stays. What a JSON string may hold.
std::string valid_utf8(std::string_view text);

/// Columns that `text` (valid UTF-8) takes, all characters taken as one wide.
std::size_t display_width(std::string_view text);

}  // namespace pgload::report
