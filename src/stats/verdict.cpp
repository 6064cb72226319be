#include "src/stats/verdict.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>

namespace pgload::stats {
namespace {

double ms(std::optional<LatencyHistogram::Duration> duration) {
  return duration ? std::chrono::duration<double, std::milli>(*duration).count() : 0;
}

/// 12.345 -> "12.3", 0.0562 -> "0.0562", 1234.5 -> "1234": this floor knows no formatting library.
std::string figures(double number, int digits = 3) {
  char text[32];
  if (number >= 1000) {
    std::snprintf(text, sizeof text, "%.0f", number);
  } else {
    std::snprintf(text, sizeof text, "%.*g", digits, number);
  }
  return text;
}

std::string percent(double ratio, int digits = 3) { return figures(ratio * 100, digits) + " %"; }

std::string percentile_name(double p) {
  char text[32];
  std::snprintf(text, sizeof text, "p%.12g", p);
  return text;
}

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

class Judge {
 public:
  explicit Judge(const RunResult& run) : run_(run), limits_(run.verdict_limits) {}

  std::vector<Verdict> verdicts() {
    judge_client_share();
    judge_lag();
    judge_workers();
    judge_rate();
    judge_samples();
    return std::move(verdicts_);
  }

 private:
  void add(VerdictKind kind, std::string figure, double measured, double limit) {
    verdicts_.push_back({kind, std::move(figure), measured, limit});
  }

  void judge_client_share() {
    const ClientShare share = client_share(run_);
    const double worse = std::max(share.of_mean, share.of_p99);
    if (worse > limits_.client_share) {
      add(VerdictKind::client_bound,
          std::string(run_.self_check.is_loop_delay() ? "the loop delay" : "the client's own part") + " is " +
              percent(share.of_mean) + " of the mean and " + percent(share.of_p99) +
              " of the p99 service time, limit " + percent(limits_.client_share),
          worse, limits_.client_share);
    }
  }

  void judge_lag() {
    const double lag_ms = ms(run_.self_check.dispatch_lag.percentile(99));
    const auto response = run_.response();
    const double response_ms = response ? ms(response->percentile(99)) : 0;
    const double limit_ms = std::max(limits_.lag_p99_ms, limits_.lag_p99_share * response_ms);
    if (lag_ms > limit_ms) {
      add(VerdictKind::client_bound,
          "dispatch lag p99 " + figures(lag_ms) + " ms, limit " + figures(limit_ms) + " ms", lag_ms,
          limit_ms);
    }
  }

  /// One verdict, of the busiest worker.
  void judge_workers() {
    double most = 0;
    std::size_t busiest = 0;
    const std::vector<WorkerFacts>& workers = run_.self_check.workers;
    for (std::size_t i = 0; i < workers.size(); ++i) {
      const double share = ratio(workers[i].busy_seconds, workers[i].seconds);
      if (share <= most) {
        continue;
      }
      most = share;
      busiest = i;
    }
    if (most > 0 && most >= limits_.busy_seconds_share) {
      add(VerdictKind::client_bound,
          "worker " + std::to_string(busiest + 1) + " above " + percent(limits_.busy_core) + " busy in " +
              percent(most) + " of the seconds, limit " + percent(limits_.busy_seconds_share),
          most, limits_.busy_seconds_share);
    }
  }

  void judge_rate() {
    const TransactionCounts& tx = run_.transactions;
    if (!run_.open_loop || tx.arrivals == 0) {
      return;
    }
    const double reached =
        ratio(static_cast<double>(tx.completed + tx.failed), static_cast<double>(tx.arrivals));
    if (reached < limits_.rate_reached) {
      add(VerdictKind::rate_not_reached,
          percent(std::floor(reached * 1e4) / 1e4, 4) +
              " of the scheduled arrivals had ended after the drain, " + percent(limits_.rate_reached) +
              " wanted",
          reached, limits_.rate_reached);
    }
  }

  /// One verdict for all percentiles; it names them and counts beyond the highest.
  void judge_samples() {
    const auto response = run_.response();
    const LatencyHistogram latency = response ? *response : run_.service();
    if (latency.empty()) {
      add(VerdictKind::too_few_samples, "no transaction ended", 0, limits_.samples_beyond);
    }
    std::string names;
    std::uint64_t fewest = limits_.samples_beyond;
    for (const double p : run_.percentiles) {
      if (!too_few_samples(latency, p, limits_)) {
        continue;
      }
      names += (names.empty() ? "" : ", ") + percentile_name(p);
      fewest = std::min(fewest, latency.samples_beyond(p));
    }
    if (!names.empty()) {
      add(VerdictKind::too_few_samples,
          "fewer than " + std::to_string(limits_.samples_beyond) + " transactions lie beyond " + names,
          static_cast<double>(fewest), limits_.samples_beyond);
    }
  }

  const RunResult& run_;
  const VerdictLimits& limits_;
  std::vector<Verdict> verdicts_;
};

}  // namespace

bool too_few_samples(const LatencyHistogram& latency, double p, const VerdictLimits& limits) {
  return p < 100 && !latency.empty() && latency.samples_beyond(p) < limits.samples_beyond;
}

ClientShare client_share(const RunResult& run) {
  const LatencyHistogram service = run.service();
  const double error_mean_ms = run.self_check.client_error.mean_ns().value_or(0) / 1e6;
  const double error_p99_ms = ms(run.self_check.client_error.percentile(99));
  const double trips = std::max(1.0, ratio(static_cast<double>(run.client.round_trips),
                                           static_cast<double>(run.transactions.attempts)));
  return {ratio(error_mean_ms * trips, service.mean_ns().value_or(0) / 1e6),
          ratio(error_p99_ms + (trips - 1) * error_mean_ms, ms(service.percentile(99)))};
}

std::vector<Verdict> judge(const RunResult& run) { return Judge(run).verdicts(); }

void set_verdicts(RunResult& run) {
  run.verdicts = judge(run);
  if (!run.server.throwaway) {
    return;
  }
  const auto of_the_client = [](const Verdict& verdict) { return verdict.kind == VerdictKind::client_bound; };
  std::string figures;
  for (const Verdict& verdict : run.verdicts) {
    if (of_the_client(verdict)) {
      figures += (figures.empty() ? "" : "; ") + verdict.figure;
    }
  }
  if (!figures.empty()) {
    run.notes.push_back("client and throwaway server share the CPUs, so no verdict on: " + figures);
  }
  std::erase_if(run.verdicts, of_the_client);
}

}  // namespace pgload::stats
