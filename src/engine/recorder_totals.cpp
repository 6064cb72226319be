#include <algorithm>

#include "src/engine/recorder.hpp"

namespace pgload::engine {

namespace api = workloads::api;

namespace {

void add_counts(stats::TransactionCounts& total, const stats::TransactionCounts& part) {
  total.arrivals += part.arrivals;
  total.started += part.started;
  total.skipped += part.skipped;
  total.queued += part.queued;
  total.completed += part.completed;
  total.completed_from_warmup += part.completed_from_warmup;
  total.completed_in_drain += part.completed_in_drain;
  total.failed += part.failed;
  total.unfinished += part.unfinished;
  total.attempts += part.attempts;
  total.retries += part.retries;
  total.unexpected += part.unexpected;
}

std::string sqlstate_text(proto_pg::wire::SqlState sqlstate) {
  if (sqlstate.ok()) return {};
  const auto characters = sqlstate.text();
  return {characters.begin(), characters.end()};
}

/// The same error seen by two workers is one row.
void add_error(std::vector<stats::ErrorResult>& rows, stats::ErrorResult row) {
  const auto same = std::find_if(rows.begin(), rows.end(), [&](const stats::ErrorResult& other) {
    return other.error_class == row.error_class && other.sqlstate == row.sqlstate &&
           other.statement == row.statement && other.host == row.host;
  });
  if (same == rows.end()) {
    rows.push_back(std::move(row));
    return;
  }
  same->count += row.count;
  same->retried += row.retried;
  same->last_s = std::max(same->last_s, row.last_s);
  if (row.first_s < same->first_s) {
    same->first_s = row.first_s;
    same->message = std::move(row.message);
  }
}

}  // namespace

void Recorder::add_to(stats::RunResult& result, const api::StatementCatalog& catalog,
                      std::span<const std::string> host_names) const {
  add_counts(result.transactions, counts_);
  result.client.round_trips += round_trips_;
  if (result.queue) result.queue->merge(queue_);
  if (result.queued_response) result.queued_response->merge(queued_response_);
  result.self_check.dispatch_lag.merge(lag_);
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    stats::KindResult& kind = result.kinds[i];
    kind.completed += kinds_[i].completed;
    kind.failed += kinds_[i].failed;
    kind.retries += kinds_[i].retries;
    kind.service.merge(kinds_[i].service);
    if (kind.response) kind.response->merge(kinds_[i].response);
    kind.failed_service.merge(kinds_[i].failed_service);
  }
  for (std::size_t i = 0; i < statements_.size(); ++i) {
    stats::StatementResult& statement = result.statements[i];
    statement.good += statements_[i].good;
    statement.unexpected += statements_[i].unexpected;
    statement.failed += statements_[i].failed;
    statement.skipped += statements_[i].skipped;
    statement.rows += statements_[i].rows;
    if (statement.latency) statement.latency->merge(statements_[i].latency);
    statement.failed_latency.merge(statements_[i].failed_latency);
  }
  for (std::size_t i = 0; i < hosts_.size(); ++i) {
    stats::HostResult& host = result.hosts[i];
    host.completed += hosts_[i].completed;
    host.failed += hosts_[i].failed;
    host.connections_lost += hosts_[i].lost;
    host.reconnects += hosts_[i].reconnects;
    host.service.merge(hosts_[i].service);
    if (host.response) host.response->merge(hosts_[i].response);
  }
  const auto seconds = [&](Clock::time_point instant) {
    return std::chrono::duration<double>(instant - window_.start).count();
  };
  for (const Error& error : errors_) {
    stats::ErrorResult row;
    row.error_class = error.error_class;
    row.sqlstate = sqlstate_text(error.sqlstate);
    if (error.statement >= 0) row.statement = catalog.specs[static_cast<std::size_t>(error.statement)].name;
    row.host = host_names[error.host];
    row.count = error.count;
    row.retried = error.retried;
    row.first_s = seconds(error.first);
    row.last_s = seconds(error.last);
    row.message = error.message;
    add_error(result.errors, std::move(row));
  }
}

}  // namespace pgload::engine
