#pragma once

#include <chrono>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "proto_pg/client/connection.hpp"
#include "src/engine/run_plan.hpp"
#include "src/engine/worker.hpp"
#include "src/stats/finished_interval.hpp"
#include "src/stats/progress.hpp"
#include "src/stats/run_result.hpp"
#include "src/stats/transaction_sample.hpp"
#include "workloads/api/session.hpp"
#include "workloads/api/workload.hpp"

namespace pgload::engine {

/// The run could not begin: one or two plain lines for people.
struct SetupError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Stopped by a signal before the window began: there is nothing to report.
struct Interrupted : std::runtime_error {
  explicit Interrupted(int signal_number) : std::runtime_error("interrupted"), signal(signal_number) {}
  int signal;
};

struct RunInput {
  const RunPlan& plan;
  const workloads::api::Workload& workload;
  const workloads::api::StatementCatalog& catalog;
  const client::ConnectContext& connect;
  std::vector<HostTarget> hosts;
};

/// How the run talks to the outside while it lasts. All calls come from the thread that called `run`.
struct RunObserver {
  std::function<void(const stats::Progress&)> progress;
  std::chrono::seconds report_interval{10};
  /// Each interval of the window as soon as it is over, the drain last.
  std::function<void(const stats::FinishedInterval&)> interval;
  /// What each worker sampled of its transactions (RunPlan::log_share).
  std::function<void(stats::TransactionSamples, const stats::SampleNames&)> transactions;
  /// Number of the signal that asks for an end, 0 while there is none. Polled.
  std::function<int()> stop_signal;
  /// The sessions are open and at rest: the load begins when this returns.
  std::function<void()> load_begins;
  /// The measured window's edges, to within a poll: return at once.
  std::function<void()> window_began, window_ended;
};

/// Resolves every host of the list. Throws SetupError naming the one that is unknown.
std::vector<HostTarget> resolve_hosts(const client::ConnectInfo& info);

/// Connect, warm up, measure, drain: returns the document. Of it, what the engine can't know (workload
/// options, data, version) is left for the caller. Throws SetupError and Interrupted.
stats::RunResult run(const RunInput& input, const RunObserver& observer);

struct SweepObserver {
  RunObserver run;
  std::function<void(const RunPlan&)> step_begins;
};

struct SweepResult {
  std::vector<stats::RunResult> steps;
  std::string failure;  ///< why the next step could not begin; empty: it was not so
};

/// One run after the other over the same connections; those that a step needs more are opened before it. Ends
/// early when stopped by a signal, or when a step can't begin: what was measured before it stays.
/// `input.plan` gives the io_threads; the rest of each run is in its step. If the first step can't begin,
/// throws as `run`.
SweepResult sweep(const RunInput& input, std::span<const RunPlan> steps, const SweepObserver& observer);

}  // namespace pgload::engine
