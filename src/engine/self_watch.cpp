#include "src/engine/self_watch.hpp"

#include <algorithm>
#include <cmath>

namespace pgload::engine {

namespace {

constexpr std::chrono::seconds kLook{1};
constexpr std::chrono::milliseconds kProbe{20};
/// A controller that comes this late was held up together with the workers (stopped, or the machine was): the
/// probes that it missed are due at their planned times.
constexpr std::chrono::milliseconds kHeldUp{100};

double seconds(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

}  // namespace

void CpuWatch::begin(Clock::time_point now, ThreadTimes times) {
  last_look_ = now;
  first_ = last_ = times;
}

void CpuWatch::look(Clock::time_point now, ThreadTimes times) {
  const double elapsed_s = seconds(now - last_look_);
  const double wanted_s = times.cpu_s - last_.cpu_s + times.run_queue_wait_s - last_.run_queue_wait_s;
  const auto looked_at = static_cast<std::uint32_t>(std::lround(elapsed_s));
  seconds_ += looked_at;
  if (wanted_s > busy_core_ * elapsed_s) busy_seconds_ += looked_at;
  last_look_ = now;
  last_ = times;
}

void CpuWatch::add_to(stats::WorkerFacts& facts) const {
  facts.cpu_s = last_.cpu_s - first_.cpu_s;
  facts.run_queue_wait_s = last_.run_queue_wait_s - first_.run_queue_wait_s;
  facts.seconds = seconds_;
  facts.busy_seconds = busy_seconds_;
}

SelfWatch::SelfWatch(const std::vector<std::unique_ptr<Worker>>& workers, const stats::VerdictLimits& limits)
    : workers_(workers), busy_core_(limits.busy_core) {}

void SelfWatch::begin(Clock::time_point now) {
  cpus_.assign(workers_.size(), CpuWatch(busy_core_));
  for (std::size_t i = 0; i < workers_.size(); ++i) cpus_[i].begin(now, workers_[i]->times());
  ticks_at_start_ = machine_ticks();
  next_look_ = now + kLook;
  next_probe_ = now + kProbe;
}

void SelfWatch::poll(Clock::time_point now) {
  if (now >= next_look_) look_at_cpu(now);
  if (now >= next_probe_) probe_loops(now);
}

void SelfWatch::end(Clock::time_point now) {
  if (next_look_ == Clock::time_point::max()) return;
  look_at_cpu(now);
  ticks_at_end_ = machine_ticks();
  next_look_ = next_probe_ = Clock::time_point::max();
}

void SelfWatch::look_at_cpu(Clock::time_point now) {
  for (std::size_t i = 0; i < workers_.size(); ++i) cpus_[i].look(now, workers_[i]->times());
  next_look_ = now + kLook;
}

void SelfWatch::probe_loops(Clock::time_point now) {
  const Clock::time_point due = now - next_probe_ > kHeldUp ? next_probe_ : now;
  for (const auto& worker : workers_) worker->probe(due, now, kProbe);
  next_probe_ = now + kProbe;
}

void SelfWatch::describe(stats::RunResult& result) const {
  stats::SelfCheck& check = result.self_check;
  const auto stamped = [](const auto& worker) { return !worker->meter().client_error().empty(); };
  const bool stamps = std::any_of(workers_.begin(), workers_.end(), stamped);
  check.method = stamps ? "kernel receive stamps" : "loop delay";
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    const SelfMeter& meter = workers_[i]->meter();
    stats::WorkerFacts& facts = check.workers.emplace_back();
    if (!cpus_.empty()) cpus_[i].add_to(facts);
    facts.timer_lateness = meter.timer_lateness();
    facts.timer_lateness.merge(workers_[i]->wakes().lateness());
    facts.client_error = stamps ? meter.client_error() : meter.loop_delay();
    check.client_error.merge(facts.client_error);
  }
  if (ticks_at_start_ && ticks_at_end_ && ticks_at_end_->all > ticks_at_start_->all) {
    check.steal_ratio = static_cast<double>(ticks_at_end_->stolen - ticks_at_start_->stolen) /
                        static_cast<double>(ticks_at_end_->all - ticks_at_start_->all);
  }
}

}  // namespace pgload::engine
