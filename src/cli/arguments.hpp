#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "src/cli/options.hpp"

namespace pgload::cli {

/// A value and, if it is not from the command line, where it stands.
struct Value {
  std::string text;    ///< of a switch: "on" or "off"
  std::string source;  ///< "pgload.conf line 3"
};
using Values = std::map<std::string, Value, std::less<>>;

/// argv taken apart; nothing is understood yet.
struct Arguments {
  Values values;                     ///< by the option's long name; the last one wins
  std::vector<std::string> words;    ///< what is no option and no option's value
  std::vector<std::string> unknown;  ///< options that are not among those given, with their dashes
};

/// `arguments` without the program's name. Long names may be written with '_' for '-'. Throws UsageError for
/// a value that is missing, or one of a switch that is not on or off.
Arguments take_apart(std::span<const std::string> arguments, std::span<const Option> options);

}  // namespace pgload::cli
