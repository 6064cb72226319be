#pragma once

#include <string>
#include <utility>
#include <vector>

#include "proto_pg/client/connect_info.hpp"
#include "src/cli/command_line.hpp"

namespace pgload::cli {

using NamedValues = std::vector<std::pair<std::string, std::string>>;

/// The options of a run as they are in force, defaults too, in the words of the command line: given as they
/// stand, they make the same run again. A switch that is on has the value "on". No secrets, and nothing about
/// where reports go. `workload_options`: all of them, as in force.
NamedValues configuration(const CommandLine& line, const proto_pg::client::ConnectInfo& info,
                          const NamedValues& workload_options);

}  // namespace pgload::cli
