#include "src/engine/run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "src/engine/backlog.hpp"
#include "src/engine/busy_sampler.hpp"
#include "src/engine/crew.hpp"
#include "src/engine/live_view.hpp"
#include "src/engine/run_facts.hpp"
#include "src/engine/self_watch.hpp"
#include "src/engine/timeline.hpp"
#include "src/stats/coordinated_omission.hpp"
#include "src/stats/interval_series.hpp"
#include "src/stats/wall_clock.hpp"

namespace pgload::engine {

namespace {

constexpr std::chrono::milliseconds kPoll{20};
/// After Ctrl-C what runs may finish for this long.
constexpr std::chrono::seconds kBriefDrain{1};
/// Time for cancelled sessions to come home before the run gives up on a worker.
constexpr std::chrono::seconds kCancelTime{8};

double seconds(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

/// The controller: one run from the first transaction to the merged document.
class Run {
 public:
  Run(Crew& crew, const RunInput& input, const RunObserver& observer)
      : crew_(crew),
        context_(crew.context()),
        workers_(crew.workers()),
        input_(input),
        observer_(observer),
        timeline_(crew.workers().size()),
        live_(crew.context().plan, observer),
        self_watch_(workers_, input.plan.verdict_limits) {}

  /// The sessions are open; `notes` are of that.
  stats::RunResult execute(std::vector<std::string> notes) {
    result_.notes = std::move(notes);
    begin();
    wait_for_window_end();
    drain();
    if (!all_ended()) crew_.dismiss();
    handle_events_until(Clock::now());  // of a worker that came home only now
    assemble();
    return std::move(result_);
  }

 private:
  void begin();
  void wait_for_start();
  void plan_arrivals(Clock::time_point origin);
  void wait_for_window_end();
  void drain();
  void poll(Clock::time_point deadline);
  void handle_events_until(Clock::time_point deadline);
  bool all_ended() const { return ended_ == workers_.size(); }
  void hand_on(stats::TransactionSamples samples) const;
  void take_final_blocks();
  void show_interval(const stats::IntervalResult& interval, const IntervalBlock& block) const;
  double length_of(const IntervalBlock& block) const;
  void assemble();
  void prepare_open_loop();
  void describe_load(double window_s);
  void estimate_what_was_hidden();

  Crew& crew_;
  RunContext& context_;
  Workers& workers_;
  const RunInput& input_;
  const RunObserver& observer_;
  Timeline timeline_;
  LiveView live_;
  SelfWatch self_watch_;
  Window window_;
  Clock::time_point drained_;
  Clock::time_point signalled_;
  std::size_t ended_ = 0;
  int signal_ = 0;
  std::optional<Backlog> backlog_;  ///< only with a rate
  BusySampler busy_sampler_;
  std::optional<Usage> usage_at_start_;
  std::vector<client::Traffic> setup_traffic_;  ///< by host, before the load
  Usage usage_at_end_;
  stats::IntervalSeries intervals_;
  stats::RunResult result_;
};

void Run::begin() {
  describe_server(result_, context_, workers_);
  describe_hosts(result_, context_, workers_);
  live_.set_open(result_.sessions_open);
  setup_traffic_ = traffic_by_host(workers_, result_.hosts.size());
  const RunPlan& plan = context_.plan;
  if (observer_.load_begins) observer_.load_begins();
  if (plan.start_at) wait_for_start();
  const Clock::time_point now = Clock::now();
  window_.start = now + plan.warmup;
  result_.started_at =
      stats::utc_text(stats::wall_now() + std::chrono::duration_cast<std::chrono::microseconds>(plan.warmup));
  if (plan.time) window_.end = window_.start + *plan.time;
  context_.admission.end_at(window_.end);
  if (plan.rate) {
    plan_arrivals(now);
  } else if (plan.transactions) {
    context_.admission.limit(*plan.transactions, window_.start);
  }
  for (auto& worker : workers_) worker->start(window_);
}

/// Sessions are open; the load begins at the same time on all machines, as far as their clocks agree.
void Run::wait_for_start() {
  using std::chrono::system_clock;
  const auto late = system_clock::now() - *context_.plan.start_at;
  if (late > std::chrono::milliseconds(1)) {
    result_.notes.push_back(
        fmt::format("started {:.3f} s after --start-at", std::chrono::duration<double>(late).count()));
  }
  const Clock::time_point start = Clock::now() - late;
  while (Clock::now() < start) {
    poll(start);
    if (signal_ != 0) throw Interrupted(signal_);
  }
}

void Run::plan_arrivals(Clock::time_point origin) {
  const RunPlan& plan = context_.plan;
  const LoadProfile rate = plan.rate->scaled(1.0 / plan.client.count).delayed(seconds(plan.warmup));
  const double phase = static_cast<double>(plan.client.index) / plan.client.count;
  ArrivalSchedule schedule(rate, plan.arrivals, plan.seed + plan.client.index, phase);
  const std::uint64_t first_counted = ArrivalSchedule::Cursor(schedule).count_before(plan.warmup);
  context_.admission.plan({std::move(schedule), origin, first_counted}, plan.transactions);
  backlog_.emplace(context_.admission);
  live_.show_backlog(&*backlog_);
}

void Run::handle_events_until(Clock::time_point deadline) {
  while (auto event = context_.mailbox.wait_until(deadline)) {
    if (auto* finished = std::get_if<FinishedBlocks>(&*event)) {
      for (auto& block : finished->blocks) timeline_.add(finished->worker, std::move(block));
      hand_on(std::move(finished->samples));
    } else if (const auto* ended = std::get_if<WorkerEnded>(&*event)) {
      ++ended_;
      timeline_.worker_ended(ended->worker);
    } else if (const auto* failed = std::get_if<WorkerFailed>(&*event)) {
      std::rethrow_exception(failed->exception);
    }
    if (all_ended()) break;
  }
  take_final_blocks();
}

void Run::hand_on(stats::TransactionSamples samples) const {
  if (!observer_.transactions || (samples.samples.empty() && samples.dropped == 0)) return;
  stats::SampleNames names{result_.started_at, input_.workload.kinds(), {}};
  for (const stats::HostResult& host : result_.hosts) names.hosts.push_back(host.name);
  observer_.transactions(std::move(samples), names);
}

void Run::take_final_blocks() {
  for (const IntervalBlock& block : timeline_.take_final()) {
    const bool drain = block.second == IntervalBlock::kDrain;
    const Clock::time_point begin = drain ? window_.end : window_.start + std::chrono::seconds(block.second);
    const Clock::time_point end =
        drain ? window_.end : std::min(begin + std::chrono::seconds(1), window_.end);
    live_.add(block, end);
    result_.client.traffic_transactions += block.completed + block.failed;
    if (block.second < 0) continue;
    if (!drain) {
      result_.transactions.completed_in_window += block.completed;
      result_.queries += block.queries;
      result_.control_queries += block.control_queries;
    }
    stats::IntervalResult interval = Timeline::summarise(block);
    interval.length_s = length_of(block);
    if (interval.drain) interval.start_s = seconds(window_.end - window_.start);
    if (backlog_) {
      interval.queued = backlog_->queue_at(end, block.next_arrival).count;
      interval.arrivals = backlog_->due_between(begin, end);
    }
    if (observer_.interval) show_interval(interval, block);
    intervals_.add(std::move(interval));
  }
}

void Run::show_interval(const stats::IntervalResult& interval, const IntervalBlock& block) const {
  const std::vector<std::string> names = input_.workload.kinds();
  stats::FinishedInterval finished{interval, {}, result_.started_at, backlog_.has_value()};
  for (std::size_t i = 0; i < std::min(names.size(), block.kinds.size()); ++i)
    finished.kinds.push_back({names[i], block.kinds[i].service, block.kinds[i].response});
  observer_.interval(finished);
}

double Run::length_of(const IntervalBlock& block) const {
  const bool ended = drained_ != Clock::time_point();
  if (block.second == IntervalBlock::kDrain)
    return std::max(0.0, seconds((ended ? drained_ : Clock::now()) - window_.end));
  return std::clamp(seconds(window_.end - window_.start) - static_cast<double>(block.second), 0.0, 1.0);
}

/// One round of waiting: until `deadline`, but not so long that a signal would go unnoticed.
void Run::poll(Clock::time_point deadline) {
  handle_events_until(std::min(Clock::now() + kPoll, deadline));
  if (usage_at_start_ && window_.contains(Clock::now()))
    busy_sampler_.sample(workers_, result_.sessions_open);
  self_watch_.poll(Clock::now());
  if (signal_ != 0 || !observer_.stop_signal) return;
  signal_ = observer_.stop_signal();
  if (signal_ != 0) signalled_ = Clock::now();
}

void Run::wait_for_window_end() {
  while (!all_ended() && signal_ == 0 && Clock::now() < window_.end) {
    if (!usage_at_start_ && Clock::now() >= window_.start) {
      usage_at_start_ = Usage::now(workers_);
      self_watch_.begin(Clock::now());
      if (observer_.window_began) observer_.window_began();
    }
    poll(usage_at_start_ ? window_.end : window_.start);
  }
  usage_at_end_ = Usage::now(workers_);
  self_watch_.end(Clock::now());
  if (observer_.window_ended) observer_.window_ended();
  const Clock::time_point now = Clock::now();
  if (now >= window_.end) return;
  // Ended early, by a signal or because the transactions are used up: the window is as long as it was. A
  // little ahead, so that no worker starts behind its end what it found due before it heard of it.
  constexpr std::chrono::milliseconds kNotice{2};
  const Clock::time_point end = all_ended() ? now : std::min(now + kNotice, window_.end);
  window_.end = std::max(end, window_.start);
  context_.admission.end_at(end);  // in the warm-up, too
  for (auto& worker : workers_) worker->end_window(window_.end);
}

void Run::drain() {
  const Clock::time_point began = Clock::now();
  const auto deadline = [&] {
    const Clock::time_point usual = began + context_.plan.drain;
    return signal_ != 0 ? std::min(usual, signalled_ + kBriefDrain) : usual;
  };
  while (!all_ended() && Clock::now() < deadline()) poll(deadline());
  if (!all_ended()) {
    for (auto& worker : workers_) worker->cancel_running();
    const Clock::time_point give_up = Clock::now() + kCancelTime;
    while (!all_ended() && Clock::now() < give_up) poll(give_up);
  }
  drained_ = Clock::now();
}

void Run::assemble() {
  const double window_s = seconds(window_.end - window_.start);
  result_.sessions_requested = context_.plan.sessions;
  result_.warmup_s = seconds(context_.plan.warmup);
  result_.duration_s = window_s;
  result_.drain_s = std::max(0.0, seconds(drained_ - window_.end));  // a stop in the warm-up: no window
  result_.pipeline = std::max(context_.plan.pipeline, 1U);
  result_.seed = context_.plan.seed;
  result_.client_index = context_.plan.client.index + 1;
  result_.client_count = context_.plan.client.count;
  result_.intervals = intervals_.take();
  for (stats::IntervalResult& interval : result_.intervals) {
    if (!interval.drain) continue;
    interval.start_s = window_s;
    interval.length_s = result_.drain_s;
  }
  for (const std::string& kind : input_.workload.kinds()) result_.kinds.emplace_back().name = kind;
  if (backlog_) prepare_open_loop();
  for (const auto& spec : input_.catalog.specs) {
    stats::StatementResult& statement = result_.statements.emplace_back();
    statement.name = spec.name;
    statement.sql = spec.sql.front();
    statement.transaction_control = spec.transaction_control;
    if (context_.plan.pipeline == 0) statement.latency.emplace();
  }
  std::vector<std::string> host_names;
  for (const HostTarget& target : context_.hosts) host_names.push_back(target.name);
  std::uint64_t warmup_errors = 0;
  for (const auto& worker : workers_) {
    worker->recorder().add_to(result_, input_.catalog, host_names);
    warmup_errors += worker->recorder().warmup_errors();
  }
  if (warmup_errors > 0) {
    result_.notes.push_back(fmt::format("{} errors in the warm-up, not counted here", warmup_errors));
  }
  describe_client(result_, workers_, usage_at_start_, usage_at_end_);
  self_watch_.describe(result_);
  describe_traffic(result_, workers_, setup_traffic_);
  describe_load(window_s);
  result_.verdict_limits = input_.plan.verdict_limits;
  set_outcome(result_, context_.plan, signal_);
}

void Run::prepare_open_loop() {
  result_.open_loop = true;
  for (stats::KindResult& kind : result_.kinds) kind.response.emplace();
  for (stats::HostResult& host : result_.hosts) host.response.emplace();
  result_.queue.emplace();
  const std::uint64_t next = context_.admission.next_arrival();
  result_.queued_response = backlog_->ages_at(window_.end, next);
  result_.transactions.queued = result_.queued_response->count();
  result_.transactions.arrivals = result_.transactions.queued;  // the workers add those that they claimed
}

void Run::describe_load(double window_s) {
  stats::SelfCheck& check = result_.self_check;
  check.mean_busy_sessions = busy_sampler_.mean();
  check.all_busy_ratio = busy_sampler_.all_busy_ratio();
  if (const auto mean_ns = result_.service().mean_ns())
    check.little_busy_sessions = result_.transactions_per_second() * *mean_ns * 1e-9;
  if (!backlog_) {
    estimate_what_was_hidden();
  } else if (window_s > 0) {
    result_.load.mean_rate = static_cast<double>(backlog_->planned_before(window_.end)) / window_s;
  }
}

void Run::estimate_what_was_hidden() {
  const double per_second = result_.transactions_per_second();
  if (per_second <= 0 || context_.plan.think.mean.count() > 0) return;
  Silences common = workers_.front()->recorder().silences();
  for (const auto& worker : workers_) common = common.common_with(worker->recorder().silences());
  const std::chrono::duration<double> interval(result_.sessions_open / per_second);
  const auto interval_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(interval);
  const auto corrected = stats::corrected_for_coordinated_omission(
      result_.service(), std::max(interval_ns, std::chrono::nanoseconds(1)));
  result_.closed_loop_estimate = {seconds(common.longest()), corrected.percentile_us(99).value_or(0)};
}

}  // namespace

std::vector<HostTarget> resolve_hosts(const client::ConnectInfo& info) {
  std::vector<HostTarget> targets;
  for (const client::Host& host : info.hosts) {
    std::string reason;
    std::vector<client::Endpoint> endpoints = client::resolve(host, reason);
    if (endpoints.empty()) throw SetupError(reason);
    targets.push_back({host, client::HostAddresses(host, std::move(endpoints)), host.name()});
  }
  return targets;
}

stats::RunResult run(const RunInput& input, const RunObserver& observer) {
  Crew crew(input);
  auto notes = crew.open(input.plan, observer);
  Run run(crew, input, observer);
  stats::RunResult result = run.execute(std::move(notes));
  crew.dismiss();
  return result;
}

SweepResult sweep(const RunInput& input, std::span<const RunPlan> steps, const SweepObserver& observer) {
  Crew crew(input);
  SweepResult result;
  try {
    for (const RunPlan& plan : steps) {
      observer.step_begins(plan);
      auto notes = crew.open(plan, observer.run);
      Run run(crew, input, observer.run);
      result.steps.push_back(run.execute(std::move(notes)));
      if (result.steps.back().status == stats::RunStatus::stopped) break;
    }
  } catch (const SetupError& error) {
    if (result.steps.empty()) throw;
    result.failure = error.what();
  } catch (const Interrupted&) {
    if (result.steps.empty()) throw;
  }
  crew.dismiss();
  return result;
}

}  // namespace pgload::engine
