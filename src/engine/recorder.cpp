#include "src/engine/recorder.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace pgload::engine {

namespace api = workloads::api;
using Status = proto_pg::wire::Outcome::Status;

void IntervalBlock::reset(std::int64_t new_second) {
  second = new_second;
  completed = failed = retries = queries = control_queries = skipped = next_arrival = 0;
  busy_sessions = 0;
  lag.reset();
  for (Kind& kind : kinds) {
    kind.service.reset();
    kind.response.reset();
  }
}

void IntervalBlock::merge(const IntervalBlock& other) {
  completed += other.completed;
  failed += other.failed;
  retries += other.retries;
  queries += other.queries;
  control_queries += other.control_queries;
  busy_sessions += other.busy_sessions;
  last_end = std::max(last_end, other.last_end);
  skipped += other.skipped;
  next_arrival = std::max(next_arrival, other.next_arrival);
  lag.merge(other.lag);
  kinds.resize(std::max(kinds.size(), other.kinds.size()));
  for (std::size_t i = 0; i < other.kinds.size(); ++i) {
    kinds[i].service.merge(other.kinds[i].service);
    kinds[i].response.merge(other.kinds[i].response);
  }
}

stats::LatencyHistogram IntervalBlock::service() const {
  stats::LatencyHistogram all;
  for (const Kind& kind : kinds) all.merge(kind.service);
  return all;
}

stats::LatencyHistogram IntervalBlock::response() const {
  stats::LatencyHistogram all;
  for (const Kind& kind : kinds) all.merge(kind.response);
  return all;
}

Recorder::Recorder(std::size_t kinds, std::size_t statements, std::size_t hosts, const Admission& admission)
    : admission_(admission),
      kinds_(kinds),
      statements_(statements),
      hosts_(hosts),
      block_(std::make_unique<IntervalBlock>(kinds)) {}

void Recorder::set_window(Window window) {
  window_ = window;
  open_loop_ = admission_.arrivals() != nullptr;
  silences_.begin(window.start);
  open_block(Clock::now());
}

std::int64_t Recorder::second_of(Clock::time_point instant) const {
  if (instant >= window_.end) return IntervalBlock::kDrain;
  return std::chrono::floor<std::chrono::seconds>(instant - window_.start).count();
}

void Recorder::roll(Clock::time_point now) {
  if (now < block_end_) return;
  close_block();
  open_block(now);
}

void Recorder::finish(Clock::time_point now) {
  roll(now);
  close_block();
  silences_.note(std::min(now, window_.end));
}

void Recorder::open_block(Clock::time_point now) {
  block_->reset(second_of(now));
  block_end_ = block_->second == IntervalBlock::kDrain
                   ? Clock::time_point::max()
                   : std::min(window_.start + std::chrono::seconds(block_->second + 1), window_.end);
}

void Recorder::close_block() {
  block_->busy_sessions = busy_sessions();
  block_->last_end = silences_.last_end();
  block_->next_arrival = admission_.next_arrival();
  finished_.push_back(std::exchange(block_, std::make_unique<IntervalBlock>(kinds_.size())));
}

void Recorder::end_window(Clock::time_point end) {
  window_.end = end;
  block_end_ = std::min(block_end_, end);
}

void Recorder::record_statements(std::span<const api::StatementSample> samples,
                                 const api::StatementCatalog& catalog, Clock::time_point arrival,
                                 Clock::time_point completion) {
  roll(completion);
  const bool measured = window_.contains(arrival);
  for (const api::StatementSample& sample : samples) {
    if (sample.outcome.status == Status::good || sample.outcome.status == Status::failed) {
      ++block_->queries;
      block_->control_queries += catalog.specs[sample.statement].transaction_control;
    }
    if (!measured) continue;
    round_trips_ += sample.first_of_flight;
    Statement& statement = statements_[sample.statement];
    switch (sample.outcome.status) {
      case Status::good:
        statement.rows += sample.outcome.rows;
        ++(sample.unexpected ? statement.unexpected : statement.good);
        if (sample.timed && !sample.unexpected) statement.latency.record(sample.latency);
        break;
      case Status::skipped:
        ++statement.skipped;
        break;
      case Status::failed:
      case Status::lost:
      case Status::pending:
        ++statement.failed;
        if (sample.timed) statement.failed_latency.record(sample.latency);
        break;
    }
  }
}

void Recorder::record(const TransactionRecord& transaction) {
  roll(transaction.completion);
  if (!window_.contains(transaction.arrival)) {
    record_warmup(transaction);
    return;
  }
  ++counts_.arrivals;
  ++counts_.started;
  counts_.attempts += transaction.retries + 1;
  counts_.retries += transaction.retries;
  counts_.unexpected += transaction.unexpected;
  kinds_[transaction.kind].retries += transaction.retries;
  block_->retries += transaction.retries;
  if (transaction.completion < window_.end) silences_.note(transaction.completion);
  if (open_loop_) record_dispatch(transaction);
  if (transaction.good) {
    record_good(transaction);
  } else {
    ++counts_.failed;
    ++kinds_[transaction.kind].failed;
    ++hosts_[transaction.host].failed;
    ++block_->failed;
    kinds_[transaction.kind].failed_service.record(transaction.completion - transaction.dispatch);
  }
}

void Recorder::record_good(const TransactionRecord& transaction) {
  const Clock::duration latency = transaction.completion - transaction.dispatch;
  Kind& kind = kinds_[transaction.kind];
  Host& host = hosts_[transaction.host];
  ++counts_.completed;
  counts_.completed_in_drain += transaction.completion >= window_.end;
  ++kind.completed;
  ++host.completed;
  ++block_->completed;
  kind.service.record(latency);
  host.service.record(latency);
  block_->kinds[transaction.kind].service.record(latency);
  if (!open_loop_) return;
  const Clock::duration response = transaction.completion - transaction.arrival;
  kind.response.record(response);
  host.response.record(response);
  block_->kinds[transaction.kind].response.record(response);
}

void Recorder::record_dispatch(const TransactionRecord& transaction) {
  const Clock::duration late = transaction.dispatch - transaction.arrival;
  queue_.record(transaction.was_free ? Clock::duration(0) : late);
  if (!transaction.was_free) return;
  lag_.record(late);
  block_->lag.record(late);
}

void Recorder::record_warmup(const TransactionRecord& transaction) {
  if (!transaction.good) return;
  // Work done inside the window all the same counts in the throughput, and nowhere else.
  counts_.completed_from_warmup += transaction.completion >= window_.start;
  counts_.completed_in_drain += transaction.completion >= window_.end;
  ++block_->completed;
  block_->kinds[transaction.kind].service.record(transaction.completion - transaction.dispatch);
  if (open_loop_)
    block_->kinds[transaction.kind].response.record(transaction.completion - transaction.arrival);
}

void Recorder::record_unfinished(const TransactionRecord& transaction) {
  if (!window_.contains(transaction.arrival)) return;
  ++counts_.arrivals;
  ++counts_.started;
  ++counts_.unfinished;
  counts_.attempts += transaction.retries + 1;
  counts_.retries += transaction.retries;
  const Clock::duration age = transaction.completion - transaction.dispatch;
  kinds_[transaction.kind].service.record_at_least(age);
  hosts_[transaction.host].service.record_at_least(age);
  block_->kinds[transaction.kind].service.record_at_least(age);
  if (!open_loop_) return;
  record_dispatch(transaction);
  const Clock::duration response = transaction.completion - transaction.arrival;
  kinds_[transaction.kind].response.record_at_least(response);
  hosts_[transaction.host].response.record_at_least(response);
  block_->kinds[transaction.kind].response.record_at_least(response);
}

void Recorder::record_skipped(std::uint64_t count, Clock::time_point now) {
  roll(now);
  counts_.arrivals += count;
  counts_.skipped += count;
  block_->skipped += count;
}

void Recorder::record_queued(Clock::time_point arrival) {
  if (!window_.contains(arrival)) return;
  ++counts_.arrivals;
  ++counts_.queued;
  queued_response_.record_at_least(window_.end - arrival);
}

void Recorder::record_error(const ErrorNote& note) {
  if (note.arrival < window_.start) {
    ++warmup_errors_;
    return;
  }
  auto found = std::find_if(errors_.begin(), errors_.end(), [&](const Error& error) {
    return error.error_class == note.error_class && error.sqlstate == note.sqlstate &&
           error.statement == note.statement && error.host == note.host;
  });
  if (found == errors_.end()) {
    Error error{note.error_class, note.sqlstate, note.statement, note.host, 0, 0, note.when, note.when, {}};
    error.message = note.message;
    errors_.push_back(std::move(error));
    found = errors_.end() - 1;
  }
  if (found->message.empty()) found->message = note.message;
  ++found->count;
  found->retried += note.retried;
  found->last = note.when;
}

}  // namespace pgload::engine
