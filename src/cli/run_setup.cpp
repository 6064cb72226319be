#include "src/cli/run_setup.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>

#include "src/cli/client_machine.hpp"
#include "src/cli/configuration.hpp"
#include "src/cli/help_text.hpp"
#include "src/cli/prepare_printer.hpp"
#include "src/cli/usage_error.hpp"
#include "src/engine/statement_catalog.hpp"
#include "src/report/progress_line.hpp"
#include "src/stats/little.hpp"
#include "src/stats/verdict.hpp"

namespace pgload::cli {

namespace api = workloads::api;

namespace {

constexpr std::chrono::seconds kIntervalOnTerminal{1};
constexpr std::chrono::seconds kIntervalElsewhere{10};

/// The data that the run will use: made, or found and checked. Returns notes for the report.
std::vector<std::string> provide_data(const CommandLine& line, const Database& database,
                                      api::Workload& workload, const Signals& signals) {
  const data::Target target = speak_to(line, database, workload);
  if (line.ephemeral) {
    prepare_with_progress(target, workload, data::settled(line.prepare, target.dialect),
                          [&] { return signals.received() != 0; });
    return {"throwaway server on the same CPUs, without durability: for trying out, not for publishing"};
  }
  workload.adopt(data::find(target, workload));
  return data::check(target, workload);
}

std::unique_ptr<api::Workload> make_workload(const CommandLine& line, const api::OptionValues& options) {
  auto workload = line.workload->make(options);
  if (line.run.pipeline > 1 && !workload->in_batches())
    throw UsageError(fmt::format("--pipeline {}: several transactions of {} cannot share a write",
                                 line.run.pipeline, line.workload->name));
  return workload;
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

}  // namespace

RunSetup::RunSetup(const CommandLine& line, const Signals& signals)
    : line_(line),
      signals_(signals),
      printer_(std::cerr, report::can_redraw(STDERR_FILENO),
               [] { return report::terminal_columns(STDERR_FILENO); }),
      options_(line.workload->options, line.workload_options),
      workload_(make_workload(line, options_)),
      database_(line, signals),
      notes_(provide_data(line, database_, *workload_, signals)),
      hosts_(engine::resolve_hosts(database_.info())),
      catalog_(engine::describe_statements(database_.context(), hosts_, *workload_, line.run.protocol)) {}

engine::RunInput RunSetup::input() const {
  return {line_.run, *workload_, catalog_, database_.context(), hosts_};
}

engine::RunObserver RunSetup::observer() {
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

void RunSetup::complete(stats::RunResult& result, const stats::LoadFacts& load) const {
  result.pgload_version = version();
  result.workload = line_.workload->name;
  result.workload_options = options_.all();
  const auto adopted = workload_->adopted();
  for (auto& [name, value] : result.workload_options)
    if (const auto found = adopted.find(name); found != adopted.end()) value = found->second;
  result.configuration = configuration(line_, database_.info(), result.workload_options);
  result.client.machine = client_machine();
  const double mean_rate = result.load.mean_rate;
  result.load = load;
  result.load.mean_rate = mean_rate;
  result.protocol = protocol_name(line_.run.protocol);
  result.data_summary = workload_->data_summary();
  result.key_summary = workload_->key_summary();
  result.percentiles = line_.percentiles;
  result.notes.insert(result.notes.begin(), notes_.begin(), notes_.end());
  result.server.throwaway = line_.ephemeral;
  stats::set_verdicts(result);
  if (auto note = stats::little_disagreement(result)) result.notes.push_back(std::move(*note));
  for (const std::string& finding : result.check()) {
    result.status = stats::RunStatus::failed;
    result.reason = "the counts do not add up, this is a fault of pgload: " + finding;
    fmt::print(stderr, "pgload: {}\n", result.reason);
  }
}

}  // namespace pgload::cli
