#pragma once

#include <span>
#include <string>

#include "src/stats/run_result.hpp"

namespace pgload::report {

/// Latencies in ms: all transactions, then kinds and statements where there are several, then the failed
/// ones. n/tx: executions per attempted transaction; share: of the transactions' total time.
std::string latency_table(const stats::RunResult& run, std::span<const double> percentiles);

/// A row for each host, latencies in ms.
std::string host_table(const stats::RunResult& run, std::span<const double> percentiles);

/// A row for each client of a merged result, latencies in ms: response with a rate, else service.
std::string client_table(const stats::RunResult& run, std::span<const double> percentiles);

}  // namespace pgload::report
