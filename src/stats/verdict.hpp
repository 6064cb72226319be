#pragma once

#include <vector>

#include "src/stats/run_result.hpp"

namespace pgload::stats {

/// Every reason not to trust the run, by its `verdict_limits`; empty: valid. Of one kind there can be
/// several.
std::vector<Verdict> judge(const RunResult& run);

/// Judges the run and keeps the verdicts in it. What is client-bound beside a throwaway server becomes a
/// note: sharing the CPUs is by design there.
void set_verdicts(RunResult& run);

/// What a reader must not take for exact: too few values lie beyond the percentile. The maximum (p = 100) is
/// what it is, and of nothing there is nothing to say.
bool too_few_samples(const LatencyHistogram& latency, double p, const VerdictLimits& limits);

/// What the client adds to a transaction, as shares of its service time. A transaction of several round trips
/// meets the client's error once in each; its p99 is estimated as the p99 of one and the mean of the others.
struct ClientShare {
  double of_mean = 0;
  double of_p99 = 0;
};
ClientShare client_share(const RunResult& run);

}  // namespace pgload::stats
