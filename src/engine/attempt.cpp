#include "src/engine/attempt.hpp"

#include <algorithm>

namespace pgload::engine {

namespace api = workloads::api;
namespace wire = proto_pg::wire;

namespace {

stats::ErrorClass class_of(std::error_code link_error) {
  if (link_error == wire::Errc::timed_out) return stats::ErrorClass::timeout;
  if (link_error == wire::Errc::protocol_violation || link_error == wire::Errc::message_too_large) {
    return stats::ErrorClass::protocol;
  }
  return stats::ErrorClass::lost;
}

Recorder::ErrorNote note_of(const SessionSlot& slot, const api::StatementSample& sample, bool retried) {
  Recorder::ErrorNote note{};
  note.error_class = stats::ErrorClass::server;
  note.sqlstate = sample.outcome.sqlstate;
  note.statement = sample.statement;
  note.host = slot.host;
  note.arrival = slot.transaction.arrival;
  note.when = slot.session.last_reply();
  note.retried = retried;
  return note;
}

/// The connection keeps the text of its last error only: in a flight with several it may be another's.
std::string_view message_for(const wire::ServerError& last, const api::StatementSample& bad) {
  return last.sqlstate == bad.outcome.sqlstate ? std::string_view(last.message) : std::string_view();
}

Attempt settle_bad(Worker& worker, SessionSlot& slot, const api::StatementSample& bad) {
  client::Connection& connection = slot.session.connection();
  const bool answered = bad.outcome.status == wire::Outcome::Status::failed;
  const bool alive = connection.is_open();
  const RunPlan& plan = worker.run().plan;
  // Of a batch the other transactions are done: it is not sent again for one of them.
  const bool retry = answered && alive && worker.run().workload.retryable(bad.outcome.sqlstate) &&
                     !worker.cancelling() && plan.pipeline <= 1 &&
                     slot.transaction.retries < plan.max_retries;
  const bool cancelled =
      worker.cancelling() && (!answered || bad.outcome.sqlstate == wire::sqlstate::kQueryCanceled);
  Recorder::ErrorNote note = note_of(slot, bad, retry);
  std::string link_text;
  if (cancelled) {
    note.error_class = stats::ErrorClass::cancelled;
    note.sqlstate = {};
    note.message = "still running when the drain was over: cancelled by pgload";
  } else if (answered) {
    note.message = message_for(connection.last_error(), bad);
  } else {
    note.error_class = class_of(slot.session.link_error());
    note.sqlstate = {};
    link_text = slot.session.link_error().message();
    note.message = link_text;
  }
  worker.recording().record_error(note);
  if (cancelled) return Attempt::unfinished;
  if (!alive) return Attempt::lost;
  return retry ? Attempt::retry : Attempt::failed;
}

}  // namespace

Attempt settle_attempt(Worker& worker, SessionSlot& slot, std::span<const api::StatementSample> samples) {
  worker.recording().record_statements(samples, worker.run().catalog, slot.transaction.arrival,
                                       slot.session.last_reply());
  const auto bad = std::find_if(samples.begin(), samples.end(),
                                [](const api::StatementSample& sample) { return !sample.outcome.good(); });
  if (bad != samples.end()) return settle_bad(worker, slot, *bad);
  const bool unexpected = std::any_of(samples.begin(), samples.end(),
                                      [](const api::StatementSample& sample) { return sample.unexpected; });
  return unexpected ? Attempt::unexpected : Attempt::good;
}

void settle_transaction(Worker& worker, SessionSlot& slot, Attempt attempt) {
  TransactionRecord& record = slot.transaction;
  record.good = attempt == Attempt::good;
  record.unexpected = attempt == Attempt::unexpected;
  record.completion = slot.session.last_reply();
  using Outcome = stats::TransactionSample::Outcome;
  worker.sampler().note(record, slot.session.number(),
                        record.good                      ? Outcome::completed
                        : attempt == Attempt::unfinished ? Outcome::unfinished
                                                         : Outcome::failed,
                        worker.recording().window());
  if (attempt == Attempt::unfinished) {
    worker.recording().record_unfinished(record);
  } else {
    worker.recording().record(record);
  }
}

}  // namespace pgload::engine
