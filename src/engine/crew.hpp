#pragma once

#include <string>
#include <vector>

#include "src/engine/run.hpp"
#include "src/engine/run_facts.hpp"
#include "src/engine/worker.hpp"

namespace pgload::engine {

/// The workers with their open sessions: for one run, or for the steps of a sweep, one after the other.
class Crew {
 public:
  explicit Crew(const RunInput& input);

  /// For a run by this plan: opens the sessions that are not open yet; those of a smaller run before stay.
  /// The plan's io_threads are those of the first. Returns notes for the report. Throws SetupError or
  /// Interrupted.
  std::vector<std::string> open(const RunPlan& plan, const RunObserver& observer);
  /// Closes everything and waits for the threads.
  void dismiss();

  RunContext& context() { return context_; }
  Workers& workers() { return workers_; }

 private:
  client::ConnectInfo cancel_info_;
  client::ConnectContext cancel_context_;
  RunContext context_;
  Workers workers_;
};

}  // namespace pgload::engine
