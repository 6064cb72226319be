#pragma once

#include "src/cli/arguments.hpp"
#include "src/cli/command_line.hpp"

namespace pgload::cli {

/// The command line of `report` and `merge`, which work on files of results alone. Throws UsageError.
void read_document_command(const Arguments& arguments, CommandLine& line);

}  // namespace pgload::cli
