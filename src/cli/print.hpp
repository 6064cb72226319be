#pragma once

#include <cstdio>
#include <string_view>

namespace pgload::cli {

/// Writes all of it. A reader that went away (EPIPE) is no error of ours; others throw std::system_error.
void write_text(std::FILE* stream, std::string_view text);

}  // namespace pgload::cli
