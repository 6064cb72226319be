#pragma once

#include <istream>
#include <string>

#include "src/stats/run_result.hpp"

namespace pgload::cli {

/// The machine that this process runs on, and how the program was built.
stats::ClientMachine client_machine();

/// The model in the words of /proc/cpuinfo; empty where it names none (as on many ARM machines).
std::string cpu_model(std::istream& cpuinfo);

}  // namespace pgload::cli
