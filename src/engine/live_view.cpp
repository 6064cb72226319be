#include "src/engine/live_view.hpp"

#include <algorithm>

namespace pgload::engine {

LiveView::LiveView(const RunPlan& plan, const RunObserver& observer) : plan_(plan), observer_(observer) {}

void LiveView::add(const IntervalBlock& block, Clock::time_point end) {
  if (!observer_.progress || block.second == IntervalBlock::kDrain) return;
  since_last_.merge(block);
  ++seconds_;
  if (block.second >= 0) {
    retried_ += block.retries;
    failed_ += block.failed;
    skipped_ += block.skipped;
  }
  // The last second of the warm-up closes its line: no line mixes both.
  if (seconds_ < observer_.report_interval.count() && block.second != -1) return;
  show(block, end);
  since_last_.reset(0);
  seconds_ = 0;
}

void LiveView::show(const IntervalBlock& last, Clock::time_point end) {
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
  const stats::LatencyHistogram latency = backlog_ ? since_last_.response() : since_last_.service();
  progress.p50_us = latency.percentile_us(50);
  progress.p95_us = latency.percentile_us(95);
  progress.p99_us = latency.percentile_us(99);
  progress.max_us = latency.max_us();
  progress.busy = last.busy_sessions;
  progress.open = open_;
  progress.requested = plan_.sessions;
  progress.retried = retried_;
  progress.failed = failed_;
  progress.silent_s = std::max(0.0, std::chrono::duration<double>(end - last.last_end).count());
  if (backlog_) progress.open_loop = open_loop(last, end);
  observer_.progress(progress);
}

stats::Progress::OpenLoop LiveView::open_loop(const IntervalBlock& last, Clock::time_point end) {
  const auto length = std::chrono::seconds(seconds_);
  const Backlog::Queue queue = backlog_->queue_at(end, last.next_arrival);
  stats::Progress::OpenLoop open;
  open.arrivals_per_second =
      static_cast<double>(backlog_->due_between(end - length, end)) / static_cast<double>(seconds_);
  open.queued = queue.count;
  open.oldest_s = std::chrono::duration<double>(queue.oldest).count();
  open.lag_p99_us = since_last_.lag.percentile_us(99);
  open.skipped = skipped_;
  return open;
}

}  // namespace pgload::engine
