#include "src/engine/session_loop.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

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

/// The others have their turn.
asio::awaitable<void> yield() {
  const auto executor = co_await asio::this_coro::executor;
  co_await asio::post(executor, asio::use_awaitable);
}

/// What did not succeed, once more: all of it with new draws, or only the statements that are not committed.
asio::awaitable<void> try_again(Worker& worker, SessionSlot& slot) {
  const api::Workload& workload = worker.run().workload;
  if (in_transaction_block(slot)) co_await leave_transaction_block(slot);
  ++slot.transaction.retries;
  if (workload.commits_each_statement() && !worker.run().plan.retry_whole) {
    slot.session.begin_retry(Clock::now());
    co_await slot.session.play();
  } else {
    slot.session.begin_transaction(Clock::now());
    slot.transaction.kind = co_await workload.transaction(slot.session);
  }
}

bool due_to_reconnect(Worker& worker, SessionSlot& slot) {
  const std::uint64_t every = worker.run().workload.reconnect_every();
  return every > 0 && ++slot.transactions % every == 0 && slot.session.connection().is_open();
}

/// Closes and opens the connection within a transaction, where the workload wants that.
asio::awaitable<void> renew_connection(Worker& worker, SessionSlot& slot) {
  if (in_transaction_block(slot)) co_await leave_transaction_block(slot);
  slot.session.connection().close();
  const client::OpenFailure failure = co_await open_session(worker, slot);
  slot.state = SessionSlot::State::busy;
  if (!failure.failed()) worker.recording().record_reconnect(slot.host, Clock::now());
}

/// Statements that a session still owes belong to its last transaction.
asio::awaitable<void> finish(Worker& worker, SessionSlot& slot) {
  slot.session.begin_transaction(Clock::now());
  worker.run().workload.finish(slot.session);
  if (slot.session.script_length() == 0 || !slot.session.connection().is_open()) co_return;
  slot.state = SessionSlot::State::busy;
  co_await slot.session.play();
  (void)settle_attempt(worker, slot, slot.session.samples());
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
    if (slot.session.samples().empty()) co_await yield();  // it has waited for nothing
    Attempt attempt = settle_attempt(worker, slot, slot.session.samples());
    while (attempt == Attempt::retry) {
      co_await try_again(worker, slot);
      attempt = settle_attempt(worker, slot, slot.session.samples());
    }
    if (due_to_reconnect(worker, slot)) co_await renew_connection(worker, slot);
    settle_transaction(worker, slot, attempt);
    if (in_transaction_block(slot)) co_await leave_transaction_block(slot);
    end(worker, slot);
    if (slot.session.connection().is_open()) continue;
    const bool back = co_await reconnect(worker, slot);
    if (!back) break;
  }
  co_await finish(worker, slot);
}

asio::awaitable<void> pipelined_session_loop(Worker& worker, SessionSlot& slot) {
  const api::Workload& workload = worker.run().workload;
  const std::uint32_t depth = worker.run().plan.pipeline;
  std::vector<api::KindId> kinds(depth);
  std::vector<std::size_t> ends(depth);  // of each transaction's statements in the flight
  while (const auto start = worker.pacer().next(slot.pace)) {
    if (start->when > start->now) co_await sleep_until(worker, slot, start->when);
    const Pacer::Claim claim = worker.pacer().claim(*start, depth);
    if (claim.count == 0) break;
    begin(worker, slot, claim);
    slot.session.begin_transaction(claim.dispatch);
    for (std::uint32_t i = 0; i < claim.count; ++i) {
      kinds[i] = workload.append(slot.session);
      slot.session.sync();
      ends[i] = slot.session.script_length();
    }
    co_await slot.session.flush();
    if (slot.session.samples().empty()) co_await yield();  // it has waited for nothing
    std::size_t first = 0;
    for (std::uint32_t i = 0; i < claim.count; ++i) {
      slot.transaction.kind = kinds[i];
      const auto samples = slot.session.samples().subspan(first, ends[i] - first);
      const Attempt attempt = settle_attempt(worker, slot, samples);
      settle_transaction(worker, slot, attempt);
      first = ends[i];
    }
    if (in_transaction_block(slot)) co_await leave_transaction_block(slot);
    end(worker, slot);
    if (slot.session.connection().is_open()) continue;
    const bool back = co_await reconnect(worker, slot);
    if (!back) break;
  }
  co_await finish(worker, slot);
}

}  // namespace pgload::engine
