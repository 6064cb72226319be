#pragma once

#include "src/cli/command_line.hpp"
#include "src/cli/signals.hpp"

namespace pgload::cli {

/// One command each: works, prints, and returns the process's exit code. What ends one early is thrown: bad
/// usage and set-up as std::runtime_error with a sentence, a signal as Stopped.
int run_command(const CommandLine& line, const Signals& signals);
int sweep_command(const CommandLine& line, const Signals& signals);
int prepare_command(const CommandLine& line, const Signals& signals);
int warmup_command(const CommandLine& line, const Signals& signals);
int cleanup_command(const CommandLine& line, const Signals& signals);
int report_command(const CommandLine& line);
int merge_command(const CommandLine& line);

}  // namespace pgload::cli
