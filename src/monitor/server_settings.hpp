#pragma once

#include <string>
#include <utility>
#include <vector>

#include "src/monitor/counters.hpp"

namespace pgload::monitor {

using Settings = std::vector<std::pair<std::string, std::string>>;

/// Asks for the settings that decide what a server can do, as they are in force for our user and database.
std::string settings_query();
/// The answer's rows in the order in which they are best read: version, memory, durability, checkpoints …
Settings settings_of(const std::vector<Row>& rows);
/// "" if the server did not tell.
std::string value_of(const Settings& settings, const std::string& name);

}  // namespace pgload::monitor
