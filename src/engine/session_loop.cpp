#include "src/engine/session_loop.hpp"

#include "src/engine/attempt.hpp"

namespace pgload::engine {

namespace api = workloads::api;

namespace {

void begin(Worker& worker, SessionSlot& slot, const Pacer::Claim& claim) {
  slot.transaction = {};
  slot.transaction.host = slot.host;
  slot.transaction.arrival = claim.arrival;
  slot.transaction.dispatch = claim.dispatch;
  slot.transaction.was_free = claim.was_free;
  slot.state = SessionSlot::State::busy;
  worker.recording().busy(+1);
}

void end(Worker& worker, SessionSlot& slot) {
  slot.state = SessionSlot::State::idle;
  slot.pace.last_completion = slot.transaction.completion;
  worker.recording().busy(-1);
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

/// Or until the run is over: Pacer::claim tells.
asio::awaitable<void> sleep_until(Worker& worker, SessionSlot& slot, Clock::time_point due) {
  slot.state = SessionSlot::State::waiting;
  co_await worker.wakes().sleep_until(slot.sleeper, due);
  slot.state = SessionSlot::State::idle;
}

}  // namespace

asio::awaitable<void> session_loop(Worker& worker, SessionSlot& slot) {
  const api::Workload& workload = worker.run().workload;
  while (const auto start = worker.pacer().next(slot.pace)) {
    if (start->when > start->now) co_await sleep_until(worker, slot, start->when);
    const Pacer::Claim claim = worker.pacer().claim(*start, 1);
    if (claim.count == 0) break;
    begin(worker, slot, claim);
    slot.session.begin_transaction(claim.dispatch);
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
  while (const auto start = worker.pacer().next(slot.pace)) {
    if (start->when > start->now) co_await sleep_until(worker, slot, start->when);
    const Pacer::Claim claim = worker.pacer().claim(*start, depth);
    if (claim.count == 0) break;
    begin(worker, slot, claim);
    slot.session.begin_transaction(claim.dispatch);
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
