#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <memory>
#include <system_error>

#include "src/cli/client_machine.hpp"
#include "src/cli/commands.hpp"
#include "src/cli/configuration.hpp"
#include "src/cli/database.hpp"
#include "src/cli/exit_code.hpp"
#include "src/cli/help_text.hpp"
#include "src/cli/prepare_printer.hpp"
#include "src/engine/run.hpp"
#include "src/engine/statement_catalog.hpp"
#include "src/monitor/server_monitor.hpp"
#include "src/report/json_report.hpp"
#include "src/report/output_file.hpp"
#include "src/report/progress_line.hpp"
#include "src/report/progress_printer.hpp"
#include "src/report/text_report.hpp"

namespace pgload::cli {

namespace api = workloads::api;

namespace {

constexpr std::chrono::seconds kIntervalOnTerminal{1};
constexpr std::chrono::seconds kIntervalElsewhere{10};

/// The data that the run will use: made, or found and checked. Returns notes for the report.
std::vector<std::string> provide_data(const CommandLine& line, const Database& database,
                                      api::Workload& workload, const Signals& signals) {
  const data::Target target{database.context()};
  if (line.ephemeral) {
    prepare_with_progress(target, workload, line.prepare, [&] { return signals.received() != 0; });
    return {"throwaway server on the same CPUs, without durability: for trying out, not for publishing"};
  }
  if (workload.family()) workload.adopt(data::find(target, workload));
  return data::check(target, workload);
}

const char* protocol_name(api::Protocol protocol) {
  switch (protocol) {
    case api::Protocol::prepared:
      return "prepared";
    case api::Protocol::extended:
      return "extended";
    case api::Protocol::simple:
      return "simple";
  }
  return "";
}

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

/// A reader that went away (EPIPE) is no error of ours.
void write_text(std::FILE* stream, const std::string& text) {
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stream) == text.size() && std::fflush(stream) == 0;
  if (!written && errno != EPIPE)
    throw std::system_error(errno, std::system_category(), "cannot write the report");
}

int exit_code(const stats::RunResult& result, int signal) {
  if (signal != 0) return 128 + signal;
  return static_cast<int>(result.status == stats::RunStatus::good ? ExitCode::good : ExitCode::run_failed);
}

/// Makes, fills and writes the document of one run.
class RunCommand {
 public:
  RunCommand(const CommandLine& line, const Signals& signals)
      : line_(line), signals_(signals), printer_(std::cerr, report::can_redraw(STDERR_FILENO), [] {
          return report::terminal_columns(STDERR_FILENO);
        }) {
    if (line.json && *line.json != "-") json_file_ = std::make_unique<report::OutputFile>(*line.json);
  }

  int execute() {
    const api::OptionValues options(line_.workload->options, line_.workload_options);
    const auto workload = line_.workload->make(options);
    const Database database(line_, signals_);
    const std::vector<std::string> notes = provide_data(line_, database, *workload, signals_);
    const std::string started_at = utc_now();
    stats::RunResult result = run(database, *workload);
    result.pgload_version = version();
    result.workload = line_.workload->name;
    result.workload_options = options.all();
    result.configuration = configuration(line_, database.info(), result.workload_options);
    result.client.machine = client_machine();
    const double mean_rate = result.load.mean_rate;
    result.load = line_.load;
    result.load.mean_rate = mean_rate;
    result.protocol = protocol_name(line_.run.protocol);
    result.data_summary = workload->data_summary();
    result.key_summary = workload->key_summary();
    result.percentiles = line_.percentiles;
    result.started_at = started_at;
    result.notes.insert(result.notes.begin(), notes.begin(), notes.end());
    write(result);
    return exit_code(result, signals_.received());
  }

 private:
  stats::RunResult run(const Database& database, const api::Workload& workload) {
    const std::vector<engine::HostTarget> hosts = engine::resolve_hosts(database.info());
    const api::StatementCatalog catalog =
        engine::describe_statements(database.context(), hosts, workload, line_.run.protocol);
    const engine::RunInput input{line_.run, workload, catalog, database.context(), hosts};
    engine::RunObserver observer = this->observer();
    std::optional<monitor::ServerMonitor> monitor;
    if (line_.server_stats) {
      monitor.emplace(database.context(), hosts.front().host, hosts.front().addresses.now());
      observer.load_begins = [&] { monitor->begin(); };
      observer.window_began = [&] { monitor->window_began(); };
      observer.window_ended = [&] { monitor->window_ended(); };
    }
    stats::RunResult result = engine::run(input, observer);
    printer_.clear();
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

  engine::RunObserver observer() {
    engine::RunObserver observer;
    const auto usual = printer_.redraws() ? kIntervalOnTerminal : kIntervalElsewhere;
    observer.report_interval =
        line_.report_interval ? std::chrono::ceil<std::chrono::seconds>(*line_.report_interval) : usual;
    if (observer.report_interval.count() > 0) {
      observer.progress = [this](const stats::Progress& progress) {
        printer_.show(report::progress_line(progress, printer_.max_columns()));
      };
    } else {
      observer.report_interval = usual;
    }
    observer.stop_signal = [this] { return signals_.received(); };
    return observer;
  }

  void write(stats::RunResult& result) {
    for (const std::string& finding : result.check()) {
      result.status = stats::RunStatus::failed;
      result.reason = "the counts do not add up, this is a fault of pgload: " + finding;
      fmt::print(stderr, "pgload: {}\n", result.reason);
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
  report::ProgressPrinter printer_;
  std::unique_ptr<report::OutputFile> json_file_;
};

}  // namespace

int run_command(const CommandLine& line, const Signals& signals) {
  RunCommand command(line, signals);
  return command.execute();
}

}  // namespace pgload::cli
