#include <algorithm>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "src/engine/session_loop.hpp"

namespace pgload::engine {

namespace {

constexpr std::chrono::milliseconds kFirstPause{10};
constexpr std::chrono::milliseconds kLongestPause{1000};
/// How soon a session asks again when the worker has its fill of handshakes.
constexpr std::chrono::milliseconds kGatePause{5};

/// Uniform in [pause/2, pause]: sessions that fell together must not come back together.
Clock::duration jittered(SessionSlot& slot, std::chrono::milliseconds pause) {
  const auto longest = std::chrono::duration_cast<std::chrono::microseconds>(pause).count();
  return std::chrono::microseconds(slot.session.random().between(longest / 2, longest));
}

asio::awaitable<void> sleep_for(SessionSlot& slot, Clock::duration pause) {
  slot.nap.expires_after(pause);
  boost::system::error_code woken;
  co_await slot.nap.async_wait(asio::redirect_error(asio::use_awaitable, woken));
}

void note_refusal(Worker& worker, SessionSlot& slot, const client::OpenFailure& failure) {
  Recorder::ErrorNote note{};
  note.error_class = stats::ErrorClass::connect;
  if (failure.code == proto_pg::wire::Errc::refused_by_server) note.sqlstate = failure.server.sqlstate;
  note.statement = -1;
  note.host = slot.host;
  note.arrival = note.when = Clock::now();
  note.message = failure.text;
  worker.recording().record_error(note);
}

}  // namespace

asio::awaitable<client::OpenFailure> open_session(Worker& worker, SessionSlot& slot) {
  const HostTarget& target = worker.run().hosts[slot.host];
  client::OpenFailure failure =
      co_await slot.session.connection().open(worker.run().connect, target.host, target.endpoints);
  if (failure.failed()) co_return failure;
  const auto outcome = co_await slot.session.prepare();
  if (!outcome.good()) {
    failure.stage = client::OpenFailure::Stage::startup;
    failure.code = slot.session.link_error();
    failure.text = target.name + ": preparing the statements failed: ";
    if (failure.code) {
      failure.text += failure.code.message();
    } else {
      failure.code = proto_pg::wire::Errc::refused_by_server;
      failure.server = slot.session.connection().last_error();
      failure.text += failure.server.message;
    }
    slot.session.connection().close();
    co_return failure;
  }
  slot.open = true;
  co_return failure;
}

asio::awaitable<bool> reconnect(Worker& worker, SessionSlot& slot) {
  slot.session.connection().close();
  slot.open = false;
  worker.recording().record_lost(slot.host);
  std::chrono::milliseconds pause = kFirstPause;
  while (!worker.run().admission.over(Clock::now())) {
    const Clock::duration wait = jittered(slot, pause);
    co_await sleep_for(slot, wait);
    if (worker.run().admission.over(Clock::now())) break;
    if (!worker.enter_handshake()) {
      const Clock::duration gate_wait = jittered(slot, kGatePause);
      co_await sleep_for(slot, gate_wait);
      continue;
    }
    const client::OpenFailure failure = co_await open_session(worker, slot);
    worker.leave_handshake();
    if (!failure.failed()) {
      worker.recording().record_reconnect(slot.host);
      co_return true;
    }
    note_refusal(worker, slot, failure);
    pause = std::min(pause * 2, kLongestPause);
  }
  co_return false;
}

}  // namespace pgload::engine
