#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "src/engine/worker.hpp"
#include "src/stats/run_result.hpp"

namespace pgload::engine {

using Workers = std::vector<std::unique_ptr<Worker>>;

/// CPU time used so far.
struct Usage {
  double user_s = 0, system_s = 0;  ///< of the process
  std::vector<double> workers_s;

  static Usage now(const Workers& workers);
};

// What the document says of the surroundings of a run.

/// Of the first session that is open. Before the run.
void describe_server(stats::RunResult& result, const RunContext& run, const Workers& workers);
/// Names, and which sessions are open. Before the run.
void describe_hosts(stats::RunResult& result, const RunContext& run, const Workers& workers);
/// After the run, when its length is known; `at_start`: of the window, if it began.
void describe_client(stats::RunResult& result, const Workers& workers, const std::optional<Usage>& at_start,
                     const Usage& at_end);

/// What the sessions of each host sent and received so far.
std::vector<client::Traffic> traffic_by_host(const Workers& workers, std::size_t hosts);
/// After the run; `setup`: before the load began.
void describe_traffic(stats::RunResult& result, const Workers& workers,
                      const std::vector<client::Traffic>& setup);

/// Whether the run went well, and if not, why. `signal`: that stopped it, or 0.
void set_outcome(stats::RunResult& result, const RunPlan& plan, int signal);

}  // namespace pgload::engine
