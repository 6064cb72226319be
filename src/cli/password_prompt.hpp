#pragma once

#include <optional>
#include <string>

namespace pgload::cli {

/// Asks on the terminal, without echo. nullopt: Ctrl-C or the end of the input. Throws UsageError if there is
/// no terminal.
std::optional<std::string> ask_password(const std::string& user, const std::string& terminal = "/dev/tty");

}  // namespace pgload::cli
