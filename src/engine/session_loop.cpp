#include "src/engine/session_loop.hpp"

#include "src/engine/attempt.hpp"

namespace pgload::engine {

namespace api = workloads::api;

namespace {

void begin(Worker& worker, SessionSlot& slot, Clock::time_point arrival) {
  slot.transaction = {};
  slot.transaction.host = slot.host;
  slot.transaction.arrival = arrival;
  slot.transaction.dispatch = arrival;
  slot.state = SessionSlot::State::busy;
  ++worker.recording().busy_sessions;
}

void end(Worker& worker, SessionSlot& slot) {
  slot.state = SessionSlot::State::idle;
  --worker.recording().busy_sessions;
}

bool in_transaction_block(const SessionSlot& slot) {
  return slot.session.connection().transaction_status() != 'I';
}

/// What a workload leaves open when it returns early, after a failed statement (25P02) or an unexpected
/// answer.
asio::awaitable<void> leave_transaction_block(SessionSlot& slot) {
  client::Connection& connection = slot.session.connection();
  const auto result = co_await connection.query("ROLLBACK");
  if (!result.ok()) connection.close();
}

}  // namespace

asio::awaitable<void> session_loop(Worker& worker, SessionSlot& slot) {
  const api::Workload& workload = worker.run().workload;
  while (const auto claim = worker.run().admission.claim()) {
    begin(worker, slot, claim.arrival);
    slot.session.begin_transaction(claim.arrival);
    slot.transaction.kind = co_await workload.transaction(slot.session);
    Attempt attempt = settle_attempt(worker, slot, slot.session.samples());
    while (attempt == Attempt::retry) {
      if (in_transaction_block(slot)) co_await leave_transaction_block(slot);
      ++slot.transaction.retries;
      slot.session.begin_transaction(Clock::now());
      slot.transaction.kind = co_await workload.transaction(slot.session);
      attempt = settle_attempt(worker, slot, slot.session.samples());
    }
    settle_transaction(worker, slot, attempt);
    if (in_transaction_block(slot)) co_await leave_transaction_block(slot);
    end(worker, slot);
    if (slot.session.connection().is_open()) continue;
    const bool back = co_await reconnect(worker, slot);
    if (!back) break;
  }
}

asio::awaitable<void> pipelined_session_loop(Worker& worker, SessionSlot& slot) {
  const api::Workload& workload = worker.run().workload;
  const std::uint32_t depth = worker.run().plan.pipeline;
  std::vector<api::KindId> kinds(depth);
  while (const auto claim = worker.run().admission.claim(depth)) {
    begin(worker, slot, claim.arrival);
    slot.session.begin_transaction(claim.arrival);
    for (std::uint32_t i = 0; i < claim.count; ++i) {
      kinds[i] = workload.append(slot.session);
      slot.session.sync();
    }
    co_await slot.session.flush();
    for (std::uint32_t i = 0; i < claim.count; ++i) {
      slot.transaction.kind = kinds[i];
      const Attempt attempt = settle_attempt(worker, slot, slot.session.samples().subspan(i, 1));
      settle_transaction(worker, slot, attempt);
    }
    end(worker, slot);
    if (slot.session.connection().is_open()) continue;
    const bool back = co_await reconnect(worker, slot);
    if (!back) break;
  }
}

}  // namespace pgload::engine
