#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>

namespace pgload::engine {

/// Lets a few sessions of one worker log in to a host at a time, first come first served: a reconnect storm
/// must not be everyone's lag, and who waits costs nothing.
class HandshakeGate {
 public:
  /// True with a place inside, to be given back by `leave`; false if `nap` was cancelled before there was
  /// one.
  boost::asio::awaitable<bool> enter(boost::asio::steady_timer& nap);
  void leave();

 private:
  static constexpr int kPlaces = 16;

  struct Waiter {
    boost::asio::steady_timer& nap;
    bool admitted = false;
  };

  int inside_ = 0;
  std::deque<Waiter*> queue_;  ///< in the frames of `enter`
};

}  // namespace pgload::engine
