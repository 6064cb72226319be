#pragma once

#include <span>
#include <string>
#include <vector>

namespace pgload::cli {

/// An option as argv, the config file and --help know it.
struct Option {
  enum class Group { load, data, connection, report, other, refused };

  std::string name;   ///< long, without dashes
  char letter = 0;    ///< 0: none
  std::string value;  ///< what stands for the value in help; empty: a switch
  std::string help;   ///< for Group::refused: the sentence that answers it
  Group group = Group::other;
};

/// All but those that workloads declare, in the order of --help.
std::span<const Option> general_options();

}  // namespace pgload::cli
