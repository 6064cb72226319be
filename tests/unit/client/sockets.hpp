#pragma once

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <stdexcept>
#include <utility>

#include "proto_pg/client/stream.hpp"

namespace sockets {

namespace asio = boost::asio;

/// Two connected sockets: ours non-blocking, the peer's blocking.
struct Pair {
  int ours = -1;
  int peer = -1;

  Pair() {
    std::array<int, 2> fds{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds.data()) != 0)
      throw std::runtime_error("socketpair");
    ours = fds[0];
    peer = fds[1];
    ::fcntl(ours, F_SETFL, ::fcntl(ours, F_GETFL) | O_NONBLOCK);
  }
  ~Pair() { close_peer(); }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;

  void close_peer() {
    if (peer >= 0) ::close(peer);
    peer = -1;
  }
};

/// Spawns a coroutine whose exception ends the test.
template <class Awaitable>
void spawn(asio::io_context& context, Awaitable awaitable) {
  asio::co_spawn(context, std::move(awaitable), [](std::exception_ptr failure) {
    if (failure) std::rethrow_exception(failure);
  });
}

}  // namespace sockets
