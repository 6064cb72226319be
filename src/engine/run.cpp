#include "src/engine/run.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>

#include "src/engine/connect_phase.hpp"
#include "src/engine/live_view.hpp"
#include "src/engine/timeline.hpp"
#include "src/stats/interval_series.hpp"

namespace pgload::engine {

namespace {

constexpr std::chrono::milliseconds kPoll{20};
/// After Ctrl-C what runs may finish for this long.
constexpr std::chrono::seconds kBriefDrain{1};
/// Time for cancelled sessions to come home before the run gives up on a worker.
constexpr std::chrono::seconds kCancelTime{8};

double seconds(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

double cpu_seconds(const timeval& used) {
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_usec) * 1e-6;
}

rusage process_usage() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage;
}

/// CPU time used so far.
struct Usage {
  double user_s = 0, system_s = 0;
  std::vector<double> workers_s;
};

/// The controller: one run from the first connect to the merged document.
class Run {
 public:
  Run(const RunInput& input, const RunObserver& observer)
      : input_(input),
        observer_(observer),
        cancel_info_(brief(input.connect.info)),
        cancel_context_{cancel_info_, input.connect.tls, input.connect.scram_keys},
        context_{input.plan,
                 input.workload,
                 input.catalog,
                 input.connect,
                 cancel_context_,
                 input.hosts,
                 {},
                 {},
                 {},
                 {}},
        timeline_(input.plan.io_threads),
        live_(input.plan, observer) {
    for (std::size_t i = 0; i < input.plan.io_threads; ++i) {
      workers_.push_back(std::make_unique<Worker>(context_, i));
    }
  }

  stats::RunResult execute() {
    result_.notes = open_all_sessions(context_, workers_, observer_);
    begin();
    wait_for_window_end();
    drain();
    for (auto& worker : workers_) worker->join();
    handle_events_until(Clock::now());  // of a worker that came home only now
    assemble();
    return std::move(result_);
  }

 private:
  static client::ConnectInfo brief(client::ConnectInfo info) {
    info.connect_timeout = std::chrono::seconds(1);
    return info;
  }

  void begin();
  void wait_for_window_end();
  void drain();
  void poll(Clock::time_point deadline);
  void handle_events_until(Clock::time_point deadline);
  Usage usage_now();
  bool all_ended() const { return ended_ == workers_.size(); }
  void take_final_blocks();
  double length_of(const IntervalBlock& block) const;
  void assemble();
  void describe_server();
  void describe_hosts();
  void describe_client(double window_s);
  void describe_traffic();
  client::Traffic traffic_by_host(std::size_t host) const;
  void judge();

  const RunInput& input_;
  const RunObserver& observer_;
  client::ConnectInfo cancel_info_;
  client::ConnectContext cancel_context_;
  RunContext context_;
  std::vector<std::unique_ptr<Worker>> workers_;
  Timeline timeline_;
  LiveView live_;
  Window window_;
  Clock::time_point drained_;
  Clock::time_point signalled_;
  std::size_t ended_ = 0;
  int signal_ = 0;
  std::optional<Usage> usage_at_start_;
  std::vector<client::Traffic> setup_traffic_;  ///< by host, before the load
  Usage usage_at_end_;
  stats::IntervalSeries intervals_;
  stats::RunResult result_;
};

void Run::begin() {
  describe_server();
  describe_hosts();
  live_.set_open(result_.sessions_open);
  for (std::size_t i = 0; i < result_.hosts.size(); ++i) setup_traffic_.push_back(traffic_by_host(i));
  if (observer_.load_begins) observer_.load_begins();
  const RunPlan& plan = input_.plan;
  const Clock::time_point now = Clock::now();
  window_.start = now + plan.warmup;
  if (plan.time) window_.end = window_.start + *plan.time;
  context_.admission.end_at(window_.end);
  if (plan.transactions) context_.admission.limit(*plan.transactions, window_.start);
  for (auto& worker : workers_) worker->start(window_);
}

void Run::handle_events_until(Clock::time_point deadline) {
  while (auto event = context_.mailbox.wait_until(deadline)) {
    if (auto* finished = std::get_if<FinishedBlocks>(&*event)) {
      for (auto& block : finished->blocks) timeline_.add(finished->worker, std::move(block));
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

void Run::take_final_blocks() {
  for (const IntervalBlock& block : timeline_.take_final()) {
    live_.add(block);
    result_.client.traffic_transactions += block.completed + block.failed;
    if (block.second < 0) continue;
    if (block.second != IntervalBlock::kDrain) {
      result_.transactions.completed_in_window += block.completed;
      result_.queries += block.queries;
      result_.control_queries += block.control_queries;
    }
    stats::IntervalResult interval = Timeline::summarise(block);
    interval.length_s = length_of(block);
    if (interval.drain) interval.start_s = seconds(window_.end - window_.start);
    if (observer_.interval) observer_.interval(interval);
    intervals_.add(std::move(interval));
  }
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
  if (signal_ != 0 || !observer_.stop_signal) return;
  signal_ = observer_.stop_signal();
  if (signal_ != 0) signalled_ = Clock::now();
}

void Run::wait_for_window_end() {
  while (!all_ended() && signal_ == 0 && Clock::now() < window_.end) {
    if (!usage_at_start_ && Clock::now() >= window_.start) {
      usage_at_start_ = usage_now();
      if (observer_.window_began) observer_.window_began();
    }
    poll(usage_at_start_ ? window_.end : window_.start);
  }
  usage_at_end_ = usage_now();
  if (observer_.window_ended) observer_.window_ended();
  const Clock::time_point now = Clock::now();
  if (now >= window_.end) return;
  // Ended early, by a signal or because the transactions are used up: the window is as long as it was.
  window_.end = std::max(now, window_.start);
  context_.admission.end_at(now);
  for (auto& worker : workers_) worker->end_window(window_.end);
}

void Run::drain() {
  const Clock::time_point began = Clock::now();
  const auto deadline = [&] {
    const Clock::time_point usual = began + input_.plan.drain;
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

Usage Run::usage_now() {
  const rusage used = process_usage();
  Usage usage{cpu_seconds(used.ru_utime), cpu_seconds(used.ru_stime), {}};
  for (const auto& worker : workers_) usage.workers_s.push_back(worker->cpu_s());
  return usage;
}

void Run::describe_server() {
  for (const auto& worker : workers_) {
    for (const SessionSlot& slot : worker->sessions()) {
      if (slot.state != SessionSlot::State::idle) continue;
      const client::Connection& connection = slot.session.connection();
      const client::TlsFacts tls = connection.tls_facts();
      stats::ServerFacts& server = result_.server;
      server.version = connection.parameter("server_version").value_or("unknown version");
      server.where = context_.hosts[slot.host].name + "/" + input_.connect.info.database;
      server.tls = connection.tls();
      server.tls_version = tls.version;
      server.tls_cipher = tls.cipher;
      server.tls_verified = tls.host_verified ? "chain and host" : tls.verified ? "chain" : "no";
      server.sslmode = client::to_string(input_.connect.info.sslmode);
      server.authentication = connection.authentication_method();
      return;
    }
  }
}

void Run::describe_hosts() {
  for (const HostTarget& target : context_.hosts) result_.hosts.emplace_back().name = target.name;
  for (const auto& worker : workers_) {
    for (const SessionSlot& slot : worker->sessions()) {
      if (slot.state != SessionSlot::State::idle) continue;
      ++result_.hosts[slot.host].sessions;
      ++result_.sessions_open;
    }
  }
}

void Run::describe_client(double window_s) {
  stats::ClientFacts& client = result_.client;
  client.max_rss_bytes = static_cast<std::uint64_t>(process_usage().ru_maxrss) * 1024;
  client.io_threads = input_.plan.io_threads;
  if (usage_at_start_) {
    client.cpu_user_s = usage_at_end_.user_s - usage_at_start_->user_s;
    client.cpu_system_s = usage_at_end_.system_s - usage_at_start_->system_s;
  }
  for (std::size_t i = 0; usage_at_start_ && window_s > 0 && i < workers_.size(); ++i) {
    const double used_s = usage_at_end_.workers_s[i] - usage_at_start_->workers_s[i];
    client.busiest_worker_cores = std::max(client.busiest_worker_cores, used_s / window_s);
  }
}

client::Traffic Run::traffic_by_host(std::size_t host) const {
  client::Traffic sum;
  for (const auto& worker : workers_) {
    for (const SessionSlot& slot : worker->sessions()) {
      if (slot.host == host) sum += slot.session.connection().traffic();
    }
  }
  return sum;
}

void Run::describe_traffic() {
  stats::ClientFacts& client = result_.client;
  for (std::size_t i = 0; i < result_.hosts.size(); ++i) {
    client::Traffic load = traffic_by_host(i);
    load -= setup_traffic_[i];
    client.bytes_sent += load.bytes_sent;
    client.bytes_received += load.bytes_received;
    client.messages_sent += load.messages_sent;
    client.messages_received += load.messages_received;
    result_.hosts[i].setup_transactions = setup_traffic_[i].transactions_ended;
    result_.hosts[i].server_transactions = load.transactions_ended;
  }
}

void Run::assemble() {
  const double window_s = seconds(window_.end - window_.start);
  result_.sessions_requested = input_.plan.sessions;
  result_.warmup_s = seconds(input_.plan.warmup);
  result_.duration_s = window_s;
  result_.drain_s = std::max(0.0, seconds(drained_ - window_.end));  // a stop in the warm-up: no window
  result_.pipeline = input_.plan.pipeline;
  result_.seed = input_.plan.seed;
  result_.intervals = intervals_.take();
  for (stats::IntervalResult& interval : result_.intervals) {
    if (!interval.drain) continue;
    interval.start_s = window_s;
    interval.length_s = result_.drain_s;
  }
  for (const std::string& kind : input_.workload.kinds()) result_.kinds.emplace_back().name = kind;
  for (const auto& spec : input_.catalog.specs) {
    stats::StatementResult& statement = result_.statements.emplace_back();
    statement.name = spec.name;
    statement.sql = spec.sql.front();
    statement.transaction_control = spec.transaction_control;
    if (input_.plan.pipeline == 1) statement.latency.emplace();
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
  describe_client(window_s);
  describe_traffic();
  judge();
}

void Run::judge() {
  const stats::TransactionCounts& counts = result_.transactions;
  const std::uint64_t ended = counts.completed + counts.failed;
  if (signal_ != 0) {
    result_.status = stats::RunStatus::stopped;
    result_.reason = fmt::format("stopped by signal {}", signal_);
  } else if (counts.completed == 0) {
    result_.status = stats::RunStatus::failed;
    result_.reason = "no transaction completed";
  } else if (static_cast<double>(counts.failed) > input_.plan.max_failed_ratio * static_cast<double>(ended)) {
    result_.status = stats::RunStatus::failed;
    result_.reason = fmt::format("{} of {} transactions failed, more than --max-failed {:g} %", counts.failed,
                                 ended, input_.plan.max_failed_ratio * 100);
  }
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
  Run run(input, observer);
  return run.execute();
}

}  // namespace pgload::engine
