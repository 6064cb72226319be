#include "proto_pg/client/deadline.hpp"

namespace proto_pg::client {

Deadline::Deadline(const asio::any_io_executor& executor, Stream& stream, std::chrono::milliseconds limit)
    : state_(std::make_shared<State>(State{&stream})), timer_(executor) {
  if (limit <= std::chrono::milliseconds::zero()) return;
  timer_.expires_after(limit);
  timer_.async_wait([state = state_](const boost::system::error_code& error) {
    if (error || !state->stream) return;
    state->expired = true;
    state->stream->shutdown();
  });
}

Deadline::~Deadline() { state_->stream = nullptr; }

}  // namespace proto_pg::client
