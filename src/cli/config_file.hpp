#pragma once

#include <iosfwd>
#include <string>

#include "src/cli/arguments.hpp"

namespace pgload::cli {

/// Lines `name = value` (or a switch's name alone), '#' or ';' comments, values perhaps in quotes; names
/// without dashes, '_' as good as '-'; the last of a name wins. `name` is the file's, for messages. Throws
/// UsageError.
Values parse_config(std::istream& stream, const std::string& name);

/// Throws UsageError.
Values read_config(const std::string& file);

}  // namespace pgload::cli
