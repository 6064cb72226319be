#pragma once

#include <boost/asio/awaitable.hpp>

#include "src/engine/worker.hpp"

namespace pgload::engine {

/// One client's life while the run lasts: claim, transact, record; reconnect where the link died.
boost::asio::awaitable<void> session_loop(Worker& worker, SessionSlot& slot);

/// The same with --pipeline N above 1: N transactions travel in one write, a Sync each. All count from the
/// batch's send and to its last reply: an earlier start would not be true, a later one would
/// hide time.
boost::asio::awaitable<void> pipelined_session_loop(Worker& worker, SessionSlot& slot);

/// Connects, authenticates and prepares the statements of a closed session.
boost::asio::awaitable<client::OpenFailure> open_session(Worker& worker, SessionSlot& slot);

/// Tries until the session is open again (true) or the run is over (false), with jittered exponential
/// back-off.
boost::asio::awaitable<bool> reconnect(Worker& worker, SessionSlot& slot);

}  // namespace pgload::engine
