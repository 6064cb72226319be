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
  slot.busy = true;
  ++worker.recording().busy_sessions;
}

void end(Worker& worker, SessionSlot& slot) {
  slot.busy = false;
  --worker.recording().busy_sessions;
}

/// A failed statement inside BEGIN … COMMIT leaves the session unusable until ROLLBACK (25P02).
asio::awaitable<void> leave_transaction_block(SessionSlot& slot) {
  client::Connection& connection = slot.session.connection();
  if (!connection.is_open() || connection.transaction_status() == 'I') co_return;
  const auto result = co_await connection.query("ROLLBACK");
  if (!result.ok()) connection.close();
}

}  // namespace

asio::awaitable<void> session_loop(Worker& worker, SessionSlot& slot) {
  const api::Workload& workload = worker.run().workload;
  while (const auto arrival = worker.run().admission.claim()) {
    begin(worker, slot, *arrival);
    slot.session.begin_transaction(*arrival);
    slot.transaction.kind = co_await workload.transaction(slot.session);
    Attempt attempt = settle_attempt(worker, slot, slot.session.samples());
    while (attempt == Attempt::retry) {
      co_await leave_transaction_block(slot);
      ++slot.transaction.retries;
      slot.session.begin_transaction(Clock::now());
      slot.transaction.kind = co_await workload.transaction(slot.session);
      attempt = settle_attempt(worker, slot, slot.session.samples());
    }
    settle_transaction(worker, slot, attempt);
    end(worker, slot);
    if (attempt <= Attempt::unexpected) continue;
    co_await leave_transaction_block(slot);
    if (slot.session.connection().is_open()) continue;
    const bool back = co_await reconnect(worker, slot);
    if (!back) break;
  }
}

asio::awaitable<void> pipelined_session_loop(Worker& worker, SessionSlot& slot) {
  const api::Workload& workload = worker.run().workload;
  api::Session& session = slot.session;
  while (const auto arrival = worker.run().admission.claim()) {
    begin(worker, slot, *arrival);
    session.begin_transaction(*arrival);
    slot.transaction.kind = workload.append(session);
    session.sync();
    for (std::uint32_t i = 1; i < worker.run().plan.pipeline; ++i) {
      if (!worker.run().admission.claim()) break;
      workload.append(session);
      session.sync();
    }
    co_await session.flush();
    for (const api::StatementSample& sample : session.samples()) {
      const Attempt attempt = settle_attempt(worker, slot, {&sample, 1});
      settle_transaction(worker, slot, attempt);
    }
    end(worker, slot);
    if (session.connection().is_open()) continue;
    const bool back = co_await reconnect(worker, slot);
    if (!back) break;
  }
}

}  // namespace pgload::engine
