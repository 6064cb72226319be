#include "src/stats/run_result.hpp"

#include <string_view>

namespace pgload::stats {
namespace {

using Counts = std::uint64_t;

double per_second(Counts n, double seconds) { return seconds > 0 ? static_cast<double>(n) / seconds : 0; }

/// Collects the sentences of RunResult::check.
struct Findings {
  std::vector<std::string> sentences;

  void expect_equal(std::string_view left_name, Counts left, std::string_view right_name, Counts right) {
    if (left != right) {
      std::string sentence(left_name);
      sentence += " (" + std::to_string(left) + ") is not ";
      sentence += right_name;
      sentence += " (" + std::to_string(right) + ")";
      sentences.push_back(std::move(sentence));
    }
  }
};

template <class Items, class Member>
Counts sum_of(const Items& items, Member member) {
  Counts sum = 0;
  for (const auto& item : items) {
    sum += item.*member;
  }
  return sum;
}

void check_latencies(const RunResult& run, Findings& findings) {
  const TransactionCounts& tx = run.transactions;
  const LatencyHistogram service = run.service();
  findings.expect_equal("completed service times", service.count() - service.at_least_count(), "completed",
                        tx.completed);
  findings.expect_equal("service times marked as \"at least\"", service.at_least_count(), "unfinished",
                        tx.unfinished);
  if (const auto response = run.response()) {
    findings.expect_equal("completed response times", response->count() - response->at_least_count(),
                          "completed", tx.completed);
    findings.expect_equal("response times marked as \"at least\"", response->at_least_count(),
                          "unfinished + queued", tx.unfinished + tx.queued);
  }
  for (const StatementResult& statement : run.statements) {
    if (statement.latency) {
      findings.expect_equal("latencies of " + statement.name,
                            statement.latency->count() - statement.latency->at_least_count(),
                            "its good executions", statement.good);
    }
  }
}

}  // namespace

const char* to_string(ErrorClass error_class) {
  switch (error_class) {
    case ErrorClass::server:
      return "server";
    case ErrorClass::connect:
      return "connect";
    case ErrorClass::lost:
      return "lost";
    case ErrorClass::timeout:
      return "timeout";
    case ErrorClass::cancelled:
      return "cancelled";
    case ErrorClass::protocol:
      return "protocol";
  }
  return "unknown";
}

const char* to_string(RunStatus status) {
  switch (status) {
    case RunStatus::good:
      return "good";
    case RunStatus::failed:
      return "failed";
    case RunStatus::stopped:
      return "stopped";
  }
  return "unknown";
}

double RunResult::transactions_per_second() const {
  return per_second(transactions.completed_in_window, duration_s);
}

double RunResult::queries_per_second() const { return per_second(queries, duration_s); }

double RunResult::control_queries_per_second() const { return per_second(control_queries, duration_s); }

LatencyHistogram RunResult::service() const {
  LatencyHistogram all;
  for (const KindResult& kind : kinds) {
    all.merge(kind.service);
  }
  return all;
}

std::optional<LatencyHistogram> RunResult::response() const {
  if (!open_loop) {
    return std::nullopt;
  }
  LatencyHistogram all;
  for (const KindResult& kind : kinds) {
    if (kind.response) {
      all.merge(*kind.response);
    }
  }
  if (queued_response) {
    all.merge(*queued_response);
  }
  return all;
}

std::vector<std::string> RunResult::check() const {
  const TransactionCounts& tx = transactions;
  Findings findings;
  findings.expect_equal("arrivals", tx.arrivals, "started + skipped + queued",
                        tx.started + tx.skipped + tx.queued);
  findings.expect_equal("started", tx.started, "completed + failed + unfinished",
                        tx.completed + tx.failed + tx.unfinished);
  findings.expect_equal("attempts", tx.attempts, "started + retries", tx.started + tx.retries);
  findings.expect_equal("completed of all kinds", sum_of(kinds, &KindResult::completed), "completed",
                        tx.completed);
  findings.expect_equal("failed of all kinds", sum_of(kinds, &KindResult::failed), "failed", tx.failed);
  findings.expect_equal("retries of all kinds", sum_of(kinds, &KindResult::retries), "retries", tx.retries);
  findings.expect_equal("completed on all hosts", sum_of(hosts, &HostResult::completed), "completed",
                        tx.completed);
  findings.expect_equal("failed on all hosts", sum_of(hosts, &HostResult::failed), "failed", tx.failed);
  findings.expect_equal("completed in all intervals", sum_of(intervals, &IntervalResult::completed),
                        "completed in the window + while draining",
                        tx.completed_in_window + tx.completed_in_drain);
  findings.expect_equal("completed in the window + while draining",
                        tx.completed_in_window + tx.completed_in_drain,
                        "completed + completed from the warm-up", tx.completed + tx.completed_from_warmup);
  check_latencies(*this, findings);
  return std::move(findings.sentences);
}

}  // namespace pgload::stats
