#pragma once

#include <memory>
#include <string>
#include <vector>

#include "src/cli/command_line.hpp"
#include "src/cli/database.hpp"
#include "src/cli/signals.hpp"
#include "src/engine/run.hpp"
#include "src/report/progress_printer.hpp"
#include "src/stats/run_result.hpp"
#include "workloads/api/workload.hpp"

namespace pgload::cli {

/// What a run and a sweep have in common: the database with its data, the workload, and all that the document
/// says beyond what the engine knows.
class RunSetup {
 public:
  /// Starts the throwaway server if one is wanted, makes or checks the data. Throws as `run_command`.
  RunSetup(const CommandLine& line, const Signals& signals);

  const Database& database() const { return database_; }
  const std::vector<engine::HostTarget>& hosts() const { return hosts_; }
  engine::RunInput input() const;
  /// Shows progress, if it is wanted.
  engine::RunObserver observer();
  report::ProgressPrinter& printer() { return printer_; }

  /// Adds what the engine does not know, and checks that the counts add up.
  void complete(stats::RunResult& result, const stats::LoadFacts& load) const;

 private:
  const CommandLine& line_;
  const Signals& signals_;
  report::ProgressPrinter printer_;
  workloads::api::OptionValues options_;
  std::unique_ptr<workloads::api::Workload> workload_;
  Database database_;
  std::vector<std::string> notes_;
  std::vector<engine::HostTarget> hosts_;
  workloads::api::StatementCatalog catalog_;
};

}  // namespace pgload::cli
