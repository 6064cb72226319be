#include <fmt/format.h>

#include "src/cli/commands.hpp"
#include "src/cli/exit_code.hpp"
#include "src/cli/print.hpp"
#include "src/cli/run_setup.hpp"
#include "src/cli/series_files.hpp"
#include "src/monitor/server_monitor.hpp"
#include "src/report/json_report.hpp"
#include "src/report/output_file.hpp"
#include "src/report/text_report.hpp"

namespace pgload::cli {

namespace {

ExitCode exit_code(const stats::RunResult& result, bool strict) {
  if (result.status != stats::RunStatus::good) return ExitCode::run_failed;
  return strict && !result.verdicts.empty() ? ExitCode::not_valid : ExitCode::good;
}

/// Makes, fills and writes the document of one run.
class RunCommand {
 public:
  RunCommand(const CommandLine& line, const Signals& signals)
      : line_(line), signals_(signals), series_(line) {
    if (line.json && *line.json != "-") json_file_ = std::make_unique<report::OutputFile>(*line.json);
  }

  int execute() {
    RunSetup setup(line_, signals_);
    stats::RunResult result = run(setup);
    setup.complete(result, line_.load);
    write(result);
    const int signal = signals_.received();
    return signal != 0 ? 128 + signal : static_cast<int>(exit_code(result, line_.strict));
  }

 private:
  stats::RunResult run(RunSetup& setup) {
    const engine::RunInput input = setup.input();
    engine::RunObserver observer = setup.observer();
    std::optional<monitor::ServerMonitor> monitor;
    if (line_.server_stats) {
      monitor.emplace(setup.database().context(), input.hosts.front().host,
                      input.hosts.front().addresses.now());
      observer.load_begins = [&] { monitor->begin(); };
      observer.window_began = [&] { monitor->window_began(); };
      observer.window_ended = [&] { monitor->window_ended(); };
    }
    observe_series(observer);
    stats::RunResult result = engine::run(input, observer);
    setup.printer().clear();
    if (monitor) add_server_side(result, monitor->finish());
    return result;
  }

  static void add_server_side(stats::RunResult& result, monitor::ServerMonitor::Findings findings) {
    result.server_activity = std::move(findings.activity);
    if (result.server_activity) {
      const stats::HostResult& watched = result.hosts.front();
      monitor::lay_beside(*result.server_activity, watched.server_transactions, watched.setup_transactions);
    }
    result.notes.insert(result.notes.end(), findings.notes.begin(), findings.notes.end());
  }

  void observe_series(engine::RunObserver& observer) {
    observer.interval = [this](const stats::FinishedInterval& interval) { series_.add(interval); };
    if (line_.transaction_log)
      observer.transactions = [this](stats::TransactionSamples samples, const stats::SampleNames& names) {
        series_.add(std::move(samples), names);
      };
  }

  void write(stats::RunResult& result) {
    for (const std::string& failure : series_.finish()) {
      result.notes.push_back(failure);
      fmt::print(stderr, "pgload: {}\n", failure);
    }
    const std::string text = report::text_report(result, line_.percentiles);
    const bool json_to_stdout = line_.json == "-";
    write_text(json_to_stdout ? stderr : stdout, text);
    if (!line_.json) return;
    const std::string json = report::json_report(result);
    if (json_to_stdout) {
      write_text(stdout, json);
    } else {
      json_file_->commit(json);
    }
  }

  const CommandLine& line_;
  const Signals& signals_;
  SeriesFiles series_;
  std::unique_ptr<report::OutputFile> json_file_;
};

}  // namespace

int run_command(const CommandLine& line, const Signals& signals) {
  RunCommand command(line, signals);
  return command.execute();
}

}  // namespace pgload::cli
