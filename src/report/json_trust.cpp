#include "src/report/json_fields.hpp"

namespace pgload::report {
namespace {

using stats::VerdictKind;

void worker_fields(auto& archive, auto& worker) {
  archive.real("cpu_s", worker.cpu_s, 6);
  archive.real("run_queue_wait_s", worker.run_queue_wait_s, 6);
  archive.count("seconds", worker.seconds);
  archive.count("busy_seconds", worker.busy_seconds);
  archive.latency_if_any("timer_lateness_us", worker.timer_lateness);
  archive.latency_if_any("client_error_us", worker.client_error);
}

void self_check_fields(auto& archive, auto& check) {
  archive.text("method", check.method);
  archive.latency_if_any("client_error_us", check.client_error);
  archive.latency_if_any("dispatch_lag_us", check.dispatch_lag);
  archive.real("steal_ratio", check.steal_ratio, 6);
  archive.real("mean_busy_sessions", check.mean_busy_sessions, 3);
  archive.real("little_busy_sessions", check.little_busy_sessions, 3);
  archive.real("all_busy_ratio", check.all_busy_ratio, 6);
  archive.list("workers", check.workers, [](auto& inner, auto& worker) { worker_fields(inner, worker); });
}

void verdict_fields(auto& archive, auto& verdict) {
  archive.choice("kind", verdict.kind,
                 {{"client-bound", VerdictKind::client_bound},
                  {"rate-not-reached", VerdictKind::rate_not_reached},
                  {"too-few-samples", VerdictKind::too_few_samples}});
  archive.text("figure", verdict.figure);
  archive.real("measured", verdict.measured, 9);
  archive.real("limit", verdict.limit, 9);
}

void limit_fields(auto& archive, auto& limits) {
  archive.real("client_share", limits.client_share, 9);
  archive.real("lag_p99_ms", limits.lag_p99_ms, 9);
  archive.real("lag_p99_share", limits.lag_p99_share, 9);
  archive.real("busy_core", limits.busy_core, 9);
  archive.real("busy_seconds_share", limits.busy_seconds_share, 9);
  archive.real("rate_reached", limits.rate_reached, 9);
  archive.count("samples_beyond", limits.samples_beyond);
}

}  // namespace

template <class Archive, class Run>
void trust_fields(Archive& archive, Run& run) {
  archive.derived("valid", run.verdicts.empty());
  archive.list("verdicts", run.verdicts, [](auto& inner, auto& verdict) { verdict_fields(inner, verdict); });
  archive.object("verdict_limits", [&](auto& inner) { limit_fields(inner, run.verdict_limits); });
  archive.object("self_check", [&](auto& inner) { self_check_fields(inner, run.self_check); });
  archive.optional("closed_loop_estimate", run.closed_loop_estimate, [](auto& inner, auto& estimate) {
    inner.real("longest_silence_s", estimate.longest_silence_s, 6);
    inner.real("fixed_rate_p99_us", estimate.fixed_rate_p99_us, 3);
  });
  archive.texts("notes", run.notes);
}

PGLOAD_BOTH_DIRECTIONS(trust_fields);

}  // namespace pgload::report
