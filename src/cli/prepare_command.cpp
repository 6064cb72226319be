#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/cli/commands.hpp"
#include "src/cli/database.hpp"
#include "src/cli/prepare_printer.hpp"

namespace pgload::cli {

namespace {

std::unique_ptr<workloads::api::Workload> make_workload(const CommandLine& line) {
  return line.workload->make(workloads::api::OptionValues(line.workload->options, line.workload_options));
}

}  // namespace

int prepare_command(const CommandLine& line, const Signals& signals) {
  const auto workload = make_workload(line);
  const Database database(line, signals);
  prepare_with_progress({database.context()}, *workload, line.prepare,
                        [&] { return signals.received() != 0; });
  return 0;
}

int cleanup_command(const CommandLine& line, const Signals& signals) {
  const auto workload = make_workload(line);
  const Database database(line, signals);
  const std::vector<std::string> dropped = data::cleanup({database.context()}, *workload);
  if (dropped.empty()) {
    fmt::print(stderr, "nothing to drop\n");
  } else {
    fmt::print(stderr, "dropped {}\n", fmt::join(dropped, ", "));
  }
  return 0;
}

}  // namespace pgload::cli
