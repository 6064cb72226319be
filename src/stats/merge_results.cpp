#include "src/stats/merge_results.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "src/stats/verdict.hpp"
#include "src/stats/wall_clock.hpp"

namespace pgload::stats {
namespace {

void add(std::optional<LatencyHistogram>& sum, const std::optional<LatencyHistogram>& part) {
  if (!part) return;
  if (!sum) sum.emplace();
  sum->merge(*part);
}

void add(TransactionCounts& sum, const TransactionCounts& part) {
  constexpr std::uint64_t TransactionCounts::* kCounts[] = {&TransactionCounts::arrivals,
                                                            &TransactionCounts::started,
                                                            &TransactionCounts::skipped,
                                                            &TransactionCounts::queued,
                                                            &TransactionCounts::completed,
                                                            &TransactionCounts::completed_in_drain,
                                                            &TransactionCounts::completed_from_warmup,
                                                            &TransactionCounts::completed_in_window,
                                                            &TransactionCounts::failed,
                                                            &TransactionCounts::unfinished,
                                                            &TransactionCounts::attempts,
                                                            &TransactionCounts::retries,
                                                            &TransactionCounts::unexpected};
  for (const auto count : kCounts) sum.*count += part.*count;
}

void add(KindResult& sum, const KindResult& part) {
  sum.completed += part.completed;
  sum.failed += part.failed;
  sum.retries += part.retries;
  sum.service.merge(part.service);
  add(sum.response, part.response);
  sum.failed_service.merge(part.failed_service);
}

void add(StatementResult& sum, const StatementResult& part) {
  sum.good += part.good;
  sum.unexpected += part.unexpected;
  sum.failed += part.failed;
  sum.skipped += part.skipped;
  sum.rows += part.rows;
  add(sum.latency, part.latency);
  sum.failed_latency.merge(part.failed_latency);
}

void add_host(std::vector<HostResult>& hosts, const HostResult& part) {
  const auto same = std::ranges::find(hosts, part.name, &HostResult::name);
  if (same == hosts.end()) {
    hosts.push_back(part);
    return;
  }
  same->sessions += part.sessions;
  same->completed += part.completed;
  same->failed += part.failed;
  same->connections_lost += part.connections_lost;
  same->reconnects += part.reconnects;
  same->server_transactions += part.server_transactions;
  same->setup_transactions += part.setup_transactions;
  same->service.merge(part.service);
  add(same->response, part.response);
}

void add_error(std::vector<ErrorResult>& errors, ErrorResult part, double start_s) {
  part.first_s += start_s;
  part.last_s += start_s;
  const auto same = std::ranges::find_if(errors, [&](const ErrorResult& error) {
    return error.error_class == part.error_class && error.sqlstate == part.sqlstate &&
           error.statement == part.statement && error.host == part.host;
  });
  if (same == errors.end()) {
    errors.push_back(std::move(part));
    return;
  }
  same->count += part.count;
  same->retried += part.retried;
  same->last_s = std::max(same->last_s, part.last_s);
  if (part.first_s < same->first_s) {
    same->first_s = part.first_s;
    same->message = part.message;
  }
}

void add(ClientFacts& sum, const ClientFacts& part) {
  sum.cpu_user_s += part.cpu_user_s;
  sum.cpu_system_s += part.cpu_system_s;
  sum.busiest_worker_cores = std::max(sum.busiest_worker_cores, part.busiest_worker_cores);
  sum.max_rss_bytes += part.max_rss_bytes;
  sum.io_threads += part.io_threads;
  sum.bytes_sent += part.bytes_sent;
  sum.bytes_received += part.bytes_received;
  sum.round_trips += part.round_trips;
  sum.messages_sent += part.messages_sent;
  sum.messages_received += part.messages_received;
  sum.traffic_transactions += part.traffic_transactions;
  if (sum.machine.host_name != part.machine.host_name) sum.machine = {};  // none that is all of them
}

void add(SelfCheck& sum, const SelfCheck& part) {
  if (sum.method != part.method) sum.method += (sum.method.empty() ? "" : "; ") + part.method;
  sum.client_error.merge(part.client_error);
  sum.dispatch_lag.merge(part.dispatch_lag);
  sum.workers.insert(sum.workers.end(), part.workers.begin(), part.workers.end());
  sum.steal_ratio = std::max(sum.steal_ratio, part.steal_ratio);
  sum.mean_busy_sessions += part.mean_busy_sessions;
  sum.little_busy_sessions += part.little_busy_sessions;
  sum.all_busy_ratio = std::min(sum.all_busy_ratio, part.all_busy_ratio);  // at most this
}

void add(std::optional<ClosedLoopEstimate>& sum, const std::optional<ClosedLoopEstimate>& part) {
  if (!part) return;
  if (!sum) sum.emplace();
  sum->longest_silence_s = std::max(sum->longest_silence_s, part->longest_silence_s);
  sum->fixed_rate_p99_us = std::max(sum->fixed_rate_p99_us, part->fixed_rate_p99_us);
}

/// Every client saw the same server: its counts stand once, and ours beside them are those of all.
void add(std::optional<ServerActivity>& sum, const std::optional<ServerActivity>& part) {
  if (!sum) {
    sum = part;
  } else if (part) {
    sum->ours += part->ours;
  }
}

/// Options in force that all parts share; what differs is each client's own.
void keep_common(std::vector<std::pair<std::string, std::string>>& options,
                 const std::vector<std::pair<std::string, std::string>>& others) {
  std::erase_if(options,
                [&](const auto& option) { return std::ranges::find(others, option) == others.end(); });
}

void add_note(std::vector<std::string>& notes, const std::string& note) {
  if (std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
}

int badness(RunStatus status) { return status == RunStatus::good ? 0 : status == RunStatus::stopped ? 1 : 2; }

void take_worse_outcome(RunResult& run, const NamedResult& part) {
  if (badness(part.result.status) <= badness(run.status)) return;
  run.status = part.result.status;
  run.reason = part.name + ": " + part.result.reason;
}

ClientPart client_of(const NamedResult& part, double start_s) {
  const RunResult& run = part.result;
  return {part.name,      run.client_index,  start_s,
          run.duration_s, run.sessions_open, run.transactions.completed_in_window,
          run.service(),  run.response()};
}

void add_part(RunResult& run, const NamedResult& part, double start_s) {
  const RunResult& other = part.result;
  run.sessions_requested += other.sessions_requested;
  run.sessions_open += other.sessions_open;
  run.warmup_s = std::max(run.warmup_s, other.warmup_s);
  run.load.mean_rate += other.load.mean_rate;
  run.percentiles.insert(run.percentiles.end(), other.percentiles.begin(), other.percentiles.end());
  keep_common(run.configuration, other.configuration);
  add(run.transactions, other.transactions);
  run.queries += other.queries;
  run.control_queries += other.control_queries;
  for (std::size_t i = 0; i < run.kinds.size(); ++i) add(run.kinds[i], other.kinds[i]);
  for (std::size_t i = 0; i < run.statements.size(); ++i) add(run.statements[i], other.statements[i]);
  for (const HostResult& host : other.hosts) add_host(run.hosts, host);
  for (const ErrorResult& error : other.errors) add_error(run.errors, error, start_s);
  add(run.client, other.client);
  add(run.queue, other.queue);
  add(run.queued_response, other.queued_response);
  add(run.closed_loop_estimate, other.closed_loop_estimate);
  add(run.self_check, other.self_check);
  add(run.server_activity, other.server_activity);
  for (const std::string& note : other.notes) add_note(run.notes, note);
  take_worse_outcome(run, part);
}

/// The first part as the beginning of the sum: what its errors and outcome say is of the whole now.
RunResult begin_with(const NamedResult& part, double start_s) {
  RunResult run = part.result;
  for (ErrorResult& error : run.errors) {
    error.first_s += start_s;
    error.last_s += start_s;
  }
  if (run.status != RunStatus::good) run.reason = part.name + ": " + run.reason;
  run.clients.clear();
  run.client_index = 0;
  return run;
}

/// What was wrong with one part is wrong with the whole; that samples are too few may be over.
void judge_again(RunResult& run, const std::vector<NamedResult>& parts) {
  run.verdicts.clear();
  for (const NamedResult& part : parts) {
    for (Verdict verdict : part.result.verdicts) {
      if (verdict.kind == VerdictKind::too_few_samples) continue;
      verdict.figure = part.name + ": " + verdict.figure;
      run.verdicts.push_back(std::move(verdict));
    }
  }
  for (Verdict& verdict : judge(run))
    if (verdict.kind == VerdictKind::too_few_samples) run.verdicts.push_back(std::move(verdict));
}

void say_what_is_not_whole(RunResult& run, const std::vector<NamedResult>& parts, double shared_s) {
  if (shared_s < 0.99 * run.duration_s)
    add_note(run.notes, "all clients ran together for " + std::to_string(std::llround(shared_s * 1000)) +
                            " ms of the " + std::to_string(std::llround(run.duration_s * 1000)) + " ms");
  if (run.clients.size() < run.client_count)
    add_note(run.notes, std::to_string(run.clients.size()) + " of " + std::to_string(run.client_count) +
                            " clients are in this result");
  const bool one_seed =
      std::ranges::all_of(parts, [&](const auto& part) { return part.result.seed == run.seed; });
  if (!one_seed) add_note(run.notes, "the clients had different seeds: the first one's is shown");
}

std::vector<double> starts_of(const std::vector<NamedResult>& parts, std::string& earliest_text) {
  std::vector<WallTime> times;
  for (const NamedResult& part : parts) times.push_back(*parse_utc(part.result.started_at));
  const WallTime earliest = *std::ranges::min_element(times);
  earliest_text = utc_text(earliest);
  std::vector<double> starts_s;
  for (const WallTime time : times)
    starts_s.push_back(std::chrono::duration<double>(time - earliest).count());
  return starts_s;
}

void add_clients(RunResult& run, const NamedResult& part, double start_s) {
  if (part.result.clients.empty()) {
    run.clients.push_back(client_of(part, start_s));
    return;
  }
  for (ClientPart client : part.result.clients) {  // merged before
    client.start_s += start_s;
    run.clients.push_back(std::move(client));
  }
}

}  // namespace

RunResult merge_results(const std::vector<NamedResult>& parts) {
  check_mergeable(parts);
  std::string started_at;
  const std::vector<double> starts_s = starts_of(parts, started_at);
  RunResult run = begin_with(parts[0], starts_s[0]);
  run.started_at = started_at;
  double end_s = 0, shared_end_s = 0, drained_s = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) add_part(run, parts[i], starts_s[i]);
    add_clients(run, parts[i], starts_s[i]);
    const double window_end_s = starts_s[i] + parts[i].result.duration_s;
    shared_end_s = i == 0 ? window_end_s : std::min(shared_end_s, window_end_s);
    end_s = std::max(end_s, window_end_s);
    drained_s = std::max(drained_s, window_end_s + parts[i].result.drain_s);
  }
  run.duration_s = end_s;
  run.drain_s = drained_s - end_s;
  run.intervals = merge_intervals(parts, starts_s);
  if (!run.intervals.empty() && run.intervals.back().drain) {
    run.intervals.back().start_s = run.duration_s;
    run.intervals.back().length_s = run.drain_s;
  }
  std::ranges::sort(run.percentiles);
  run.percentiles.erase(std::ranges::unique(run.percentiles).begin(), run.percentiles.end());
  judge_again(run, parts);
  say_what_is_not_whole(run, parts, shared_end_s - std::ranges::max(starts_s));
  return run;
}

}  // namespace pgload::stats
