#include "src/engine/live_view.hpp"

#include <algorithm>

namespace pgload::engine {

namespace {

std::optional<double> microseconds(std::optional<stats::LatencyHistogram::Duration> value) {
  if (!value) return std::nullopt;
  return static_cast<double>(value->count()) / 1000.0;
}

}  // namespace

LiveView::LiveView(const RunPlan& plan, const RunObserver& observer) : plan_(plan), observer_(observer) {}

void LiveView::add(const IntervalBlock& block) {
  if (!observer_.progress || block.second == IntervalBlock::kDrain) return;
  since_last_.merge(block);
  ++seconds_;
  if (block.second >= 0) {
    retried_ += block.retries;
    failed_ += block.failed;
  }
  // The last second of the warm-up closes its line: no line mixes both.
  if (seconds_ < observer_.report_interval.count() && block.second != -1) return;
  show(block);
  since_last_.reset(0);
  seconds_ = 0;
}

void LiveView::show(const IntervalBlock& last) {
  const bool warming_up = last.second < 0;
  const double phase_s =
      std::chrono::duration<double>(warming_up ? plan_.warmup : plan_.time.value_or(plan_.warmup)).count();
  const auto length_s = static_cast<double>(seconds_);
  stats::Progress progress;
  progress.phase = warming_up ? stats::Progress::Phase::warmup : stats::Progress::Phase::run;
  progress.elapsed_s = static_cast<double>(last.second + 1) + (warming_up ? phase_s : 0);
  progress.left_s = warming_up || plan_.time ? std::max(0.0, phase_s - progress.elapsed_s) : -1;
  progress.transactions_per_second = static_cast<double>(since_last_.completed) / length_s;
  progress.queries_per_second = static_cast<double>(since_last_.queries) / length_s;
  progress.p50_us = microseconds(since_last_.latency.percentile(50));
  progress.p95_us = microseconds(since_last_.latency.percentile(95));
  progress.p99_us = microseconds(since_last_.latency.percentile(99));
  progress.max_us = microseconds(since_last_.latency.max());
  progress.busy = last.busy_sessions;
  progress.open = open_;
  progress.requested = plan_.sessions;
  progress.retried = retried_;
  progress.failed = failed_;
  observer_.progress(progress);
}

}  // namespace pgload::engine
