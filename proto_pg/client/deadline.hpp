#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>

#include "proto_pg/client/stream.hpp"

namespace proto_pg::client {

/// Shuts the stream down when `limit` has passed, unless destroyed before. For opening only: running
/// operations have the engine's watchdog.
class Deadline {
 public:
  /// `limit` zero: never.
  Deadline(const asio::any_io_executor& executor, Stream& stream, std::chrono::milliseconds limit);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  bool expired() const { return state_->expired; }

 private:
  /// Shared with the timer's handler, which may be queued already when the deadline is destroyed.
  struct State {
    Stream* stream;
    bool expired = false;
  };
  std::shared_ptr<State> state_;
  asio::steady_timer timer_;
};

}  // namespace proto_pg::client
