#include <cstdio>
#include <exception>

#include "src/cli/command_line.hpp"
#include "src/cli/commands.hpp"
#include "src/cli/database.hpp"
#include "src/cli/descriptor_limit.hpp"
#include "src/cli/exit_code.hpp"
#include "src/cli/help_text.hpp"
#include "src/cli/signals.hpp"
#include "src/cli/standard_streams.hpp"
#include "src/engine/run.hpp"
#include "workloads/registry.hpp"

namespace cli = pgload::cli;

namespace {

int print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  return std::fflush(stdout) == 0 ? 0 : static_cast<int>(cli::ExitCode::usage);
}

int execute(const cli::CommandLine& line, const cli::Signals& signals) {
  using Command = cli::CommandLine::Command;
  switch (line.command) {
    case Command::run:
      cli::raise_descriptor_limit(line.run.sessions);
      return cli::run_command(line, signals);
    case Command::sweep:
      cli::raise_descriptor_limit(line.run.sessions);
      return cli::sweep_command(line, signals);
    case Command::prepare:
      return cli::prepare_command(line, signals);
    case Command::warmup:
      return cli::warmup_command(line, signals);
    case Command::cleanup:
      return cli::cleanup_command(line, signals);
    case Command::report:
      return cli::report_command(line);
    case Command::merge:
      return cli::merge_command(line);
    case Command::list:
      return print(cli::workload_list(workloads::registry()));
    case Command::help:
      return print(line.workload ? cli::workload_help(*line.workload) : cli::help_text());
    case Command::version:
      return print("pgload " + cli::version() + "\n");
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  cli::occupy_standard_streams();
  const cli::Signals signals;
  try {
    const auto arguments = cli::take_arguments(argc, argv);
    return execute(cli::parse_command_line(arguments, workloads::registry()), signals);
  } catch (const cli::PromptCancelled&) {
    return static_cast<int>(cli::ExitCode::interrupted);
  } catch (const pgload::engine::Interrupted&) {
    return 128 + signals.received();
  } catch (const pgload::data::Interrupted&) {
    return 128 + signals.received();
  } catch (const pgload::server::Interrupted&) {
    return 128 + signals.received();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pgload: %s\n", error.what());
    return signals.received() != 0 ? 128 + signals.received() : static_cast<int>(cli::ExitCode::usage);
  }
}
