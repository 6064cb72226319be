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

int print_statements(const CommandLine& line) {
  using workloads::api::Dialect;
  const auto workload = make_workload(line);
  const Dialect dialect = line.dialect.value_or(Dialect::postgres);
  workload->speak(dialect);
  data::dry_run(*workload, data::settled(line.prepare, dialect),
                [](std::string_view statement) { fmt::print("{};\n", statement); });
  return 0;
}

}  // namespace

data::Target speak_to(const CommandLine& line, const Database& database, workloads::api::Workload& workload) {
  data::Target target{database.context()};
  target.dialect = line.dialect ? *line.dialect : data::detect_dialect(target);
  workload.speak(target.dialect);
  return target;
}

int prepare_command(const CommandLine& line, const Signals& signals) {
  if (line.dry_run) return print_statements(line);
  const auto workload = make_workload(line);
  const Database database(line, signals);
  const data::Target target = speak_to(line, database, *workload);
  prepare_with_progress(target, *workload, data::settled(line.prepare, target.dialect),
                        [&] { return signals.received() != 0; });
  return 0;
}

int warmup_command(const CommandLine& line, const Signals& signals) {
  const auto workload = make_workload(line);
  const Database database(line, signals);
  const data::Target target = speak_to(line, database, *workload);
  workload->adopt(data::find(target, *workload));
  data::check(target, *workload);
  data::warm_up(target, *workload, [](std::string_view what) { fmt::print(stderr, "read {}\n", what); });
  return 0;
}

int cleanup_command(const CommandLine& line, const Signals& signals) {
  const auto workload = make_workload(line);
  const Database database(line, signals);
  const data::Target target = speak_to(line, database, *workload);
  const std::vector<std::string> dropped = data::cleanup(target, *workload);
  if (dropped.empty()) {
    fmt::print(stderr, "nothing to drop\n");
  } else {
    fmt::print(stderr, "dropped {}\n", fmt::join(dropped, ", "));
  }
  return 0;
}

}  // namespace pgload::cli
