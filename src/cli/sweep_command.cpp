#include <fmt/format.h>

#include <memory>
#include <vector>

#include "src/cli/commands.hpp"
#include "src/cli/exit_code.hpp"
#include "src/cli/print.hpp"
#include "src/cli/run_setup.hpp"
#include "src/report/format.hpp"
#include "src/report/output_file.hpp"
#include "src/report/sweep_report.hpp"

namespace pgload::cli {

namespace {

engine::SweepResult run_steps(const CommandLine& line, RunSetup& setup) {
  engine::SweepObserver observer;
  observer.run = setup.observer();
  std::size_t next = 0;
  observer.step_begins = [&](const engine::RunPlan&) {
    setup.printer().clear();
    fmt::print(stderr, "{} {}, step {} of {}\n", line.sweep.offered, line.sweep.steps[next].label, next + 1,
               line.sweep.steps.size());
    ++next;
  };
  std::vector<engine::RunPlan> plans;
  for (const SweepStep& step : line.sweep.steps) plans.push_back(step.plan);
  engine::SweepResult result = engine::sweep(setup.input(), plans, observer);
  setup.printer().clear();
  for (std::size_t i = 0; i < result.steps.size(); ++i)
    setup.complete(result.steps[i], line.sweep.steps[i].load);
  return result;
}

}  // namespace

int sweep_command(const CommandLine& line, const Signals& signals) {
  std::unique_ptr<report::OutputFile> file;
  const bool json_to_stdout = line.json == "-";
  if (line.json && !json_to_stdout) file = std::make_unique<report::OutputFile>(*line.json);
  RunSetup setup(line, signals);
  const engine::SweepResult result = run_steps(line, setup);
  write_text(json_to_stdout ? stderr : stdout,
             report::sweep_table(result.steps, line.sweep.offered, line.percentiles));
  if (json_to_stdout) write_text(stdout, report::sweep_json(result.steps, line.sweep.offered));
  if (file) file->commit(report::sweep_json(result.steps, line.sweep.offered));
  if (signals.received() != 0) return 128 + signals.received();
  if (!result.failure.empty()) {
    const std::string& label = line.sweep.steps[result.steps.size()].label;
    fmt::print(stderr, "pgload: the sweep ended before {} {}: {}\n", line.sweep.offered, label,
               result.failure);
    return static_cast<int>(ExitCode::run_failed);
  }
  for (const stats::RunResult& step : result.steps) {
    if (step.status != stats::RunStatus::good) return static_cast<int>(ExitCode::run_failed);
  }
  return static_cast<int>(ExitCode::good);
}

}  // namespace pgload::cli
