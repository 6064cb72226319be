#include "src/engine/handshake_gate.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace pgload::engine {

namespace asio = boost::asio;

asio::awaitable<bool> HandshakeGate::enter(asio::steady_timer& nap) {
  if (inside_ < kPlaces) {
    ++inside_;
    co_return true;
  }
  Waiter waiter{nap};
  queue_.push_back(&waiter);
  nap.expires_at(asio::steady_timer::time_point::max());
  boost::system::error_code woken;
  co_await nap.async_wait(asio::redirect_error(asio::use_awaitable, woken));
  if (!waiter.admitted) std::erase(queue_, &waiter);
  co_return waiter.admitted;
}

void HandshakeGate::leave() {
  if (queue_.empty()) {
    --inside_;
    return;
  }
  Waiter& next = *queue_.front();
  queue_.pop_front();
  next.admitted = true;
  next.nap.cancel();
}

}  // namespace pgload::engine
