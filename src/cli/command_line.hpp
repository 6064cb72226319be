#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "proto_pg/client/connect_info.hpp"
#include "src/data/data.hpp"
#include "src/engine/run_plan.hpp"
#include "src/stats/run_result.hpp"
#include "workloads/api/workload.hpp"

namespace pgload::cli {

/// One run of a sweep.
struct SweepStep {
  std::string label;  ///< of what is offered: "64"
  engine::RunPlan plan;
  stats::LoadFacts load;
};
struct Sweep {
  std::string offered;  ///< what grows: "sessions" or "rate"
  std::vector<SweepStep> steps;
};

/// What the user asked for: argv and the config file, checked and complete.
struct CommandLine {
  enum class Command : std::uint8_t {
    run,
    sweep,
    prepare,
    warmup,
    cleanup,
    list,
    report,
    merge,
    help,
    version
  };

  Command command = Command::run;
  /// Set for run, prepare, warmup and cleanup; for help: of this workload, or nullptr for the general one.
  const workloads::api::Descriptor* workload = nullptr;
  std::map<std::string, std::string> workload_options;  ///< given ones; OptionValues accepts them

  proto_pg::client::ConnectFlags connect;
  bool ask_password = false;  ///< -W
  bool never_ask = false;     ///< -w
  bool scram_cache = true;

  bool ephemeral = false;
  std::optional<std::filesystem::path> pg_bindir;

  engine::RunPlan run;
  stats::LoadFacts load;  ///< the shape of its load, in the user's words
  Sweep sweep;            ///< only for Command::sweep; `run` is then its last step
  data::PreparePlan prepare;
  std::optional<workloads::api::Dialect> dialect;  ///< none: ask the server
  bool dry_run = false;
  bool seed_given = false;  ///< else the seed of both plans is random

  bool strict = false;  ///< not valid by verdict: exit code 4
  std::vector<double> percentiles{50, 95, 99, 99.9};
  bool percentiles_given = false;  ///< else a document keeps its own
  std::optional<std::chrono::nanoseconds>
      report_interval;              ///< zero: no progress; none: as the terminal suggests
  std::optional<std::string> json;  ///< a file, or "-"
  bool server_stats = true;
  std::optional<std::string> hlog, ndjson, csv, transaction_log;

  /// The general options that were given, by name: the words of argv or of the config file, without secrets.
  std::map<std::string, std::string> given;

  /// For report and merge.
  std::vector<std::string> files;  ///< of results
  std::string format = "text";
};

/// `arguments` without the program's name; `workloads`: all there are. Throws UsageError.
CommandLine parse_command_line(std::span<const std::string> arguments,
                               std::span<const workloads::api::Descriptor> workloads);

/// Copies argv (without the program's name), then overwrites the passwords in it, so that `ps` does not show
/// them.
std::vector<std::string> take_arguments(int argc, char** argv);

}  // namespace pgload::cli
