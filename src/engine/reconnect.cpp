#include <algorithm>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "src/engine/session_loop.hpp"

namespace pgload::engine {

namespace {

constexpr std::chrono::milliseconds kFirstPause{10};
constexpr std::chrono::milliseconds kLongestPause{1000};
/// A lost host's name may stand for another address by now. After that time the known one is tried.
constexpr std::chrono::milliseconds kLongestQuestion{1000};

/// Uniform in [pause/2, pause]: sessions that fell together must not come back together.
Clock::duration jittered(Worker& worker, std::chrono::microseconds pause) {
  return std::chrono::microseconds(worker.random().between(pause.count() / 2, pause.count()));
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

client::OpenFailure prepare_failure(const HostTarget& target, const workloads::api::Session& session) {
  client::OpenFailure failure;
  failure.stage = client::OpenFailure::Stage::startup;
  failure.code = session.link_error();
  failure.text = target.name + ": preparing the statements failed: ";
  if (failure.code) {
    failure.text += failure.code.message();
  } else {
    failure.code = proto_pg::wire::Errc::refused_by_server;
    failure.server = session.connection().last_error();
    failure.text += failure.server.message;
  }
  return failure;
}

}  // namespace

asio::awaitable<client::OpenFailure> open_session(Worker& worker, SessionSlot& slot) {
  using State = SessionSlot::State;
  const HostTarget& target = worker.run().hosts[slot.host];
  slot.state = State::connecting;
  const std::vector<client::Endpoint> endpoints = target.addresses.now();
  client::OpenFailure failure =
      co_await slot.session.connection().open(worker.run().connect, target.host, endpoints);
  slot.state = failure.failed() ? State::closed : State::preparing;
  if (failure.failed()) co_return failure;
  const auto outcome = co_await slot.session.prepare();
  slot.state = outcome.good() ? State::idle : State::closed;
  if (outcome.good()) co_return failure;
  failure = prepare_failure(target, slot.session);
  slot.session.connection().close();
  co_return failure;
}

asio::awaitable<bool> reconnect(Worker& worker, SessionSlot& slot) {
  slot.session.connection().close();
  slot.state = SessionSlot::State::closed;
  const Admission& admission = worker.run().admission;
  HandshakeGate& gate = worker.gate(slot.host);
  client::HostAddresses& addresses = worker.run().hosts[slot.host].addresses;
  std::chrono::milliseconds pause = kFirstPause;
  const Clock::time_point known_enough = Clock::now() + kLongestQuestion;
  if (!worker.cancelling()) worker.recording().record_lost(slot.host, Clock::now());
  while (!admission.over(Clock::now())) {
    addresses.ask_again();
    const Clock::duration wait = jittered(worker, pause);
    co_await sleep_for(slot, wait);
    if (admission.over(Clock::now())) break;
    if (addresses.asking() && Clock::now() < known_enough) continue;
    const bool inside = co_await gate.enter(slot.nap);
    if (!inside) continue;
    const client::OpenFailure failure = co_await open_session(worker, slot);
    gate.leave();
    if (!failure.failed()) {
      worker.recording().record_reconnect(slot.host, Clock::now());
      co_return true;
    }
    if (admission.over(Clock::now())) break;  // then it is we who gave up
    note_refusal(worker, slot, failure);
    pause = std::min(pause * 2, kLongestPause);
  }
  co_return false;
}

}  // namespace pgload::engine
