#include "src/stats/little.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace pgload::stats {

namespace {

constexpr double kTolerance = 0.2;
constexpr std::uint64_t kTransactionsPerSession = 20;

}  // namespace

std::optional<std::string> little_disagreement(const RunResult& run) {
  const TransactionCounts& tx = run.transactions;
  const bool comparable = run.pipeline == 1 && tx.failed == 0 && tx.unfinished == 0 &&
                          tx.completed >= kTransactionsPerSession * std::max(1U, run.sessions_open);
  if (!comparable) return std::nullopt;
  const double counted = run.self_check.mean_busy_sessions, computed = run.self_check.little_busy_sessions;
  if (std::abs(counted - computed) <= std::max(1.0, kTolerance * std::max(counted, computed)))
    return std::nullopt;
  char text[160];
  std::snprintf(text, sizeof text,
                "%.1f sessions were busy, but throughput x mean latency is %.1f: do not trust the latencies",
                counted, computed);
  return text;
}

}  // namespace pgload::stats
