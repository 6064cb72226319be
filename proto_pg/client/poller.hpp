#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace proto_pg::client {

namespace asio = boost::asio;

enum class Readiness : std::uint8_t { readable = 1, writable = 2, either = 3 };

/// Readiness of many sockets for one worker: an edge-triggered epoll of its own, nested in the worker's
/// io_context as one descriptor. Each socket is registered once, so a wait costs no system call, and one
/// coroutine can wait for "readable or writable", which plain Asio does not offer. Also owns what the worker's
/// sessions share: the large read buffer.
///
/// All members are called on the worker's thread only.
class Poller {
 public:
  static constexpr std::size_t kReadBufferBytes = std::size_t{64} << 10;

  explicit Poller(asio::io_context& context);
  ~Poller();
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

  /// Handle of a registered socket; stale handles are harmless (generation-checked).
  struct Slot {
    std::uint32_t index = 0;
    std::uint32_t generation = 0;
  };

  Slot add(int fd);
  /// The owner is about to close the descriptor. Nobody may be waiting on it.
  void remove(Slot slot);

  /// Resumes when one of `wanted` is (or has become since it was last cleared) ready; errors and hang-ups count
  /// as both. At most one waiter per slot.
  asio::awaitable<void> wait(Slot slot, Readiness wanted);
  /// The owner drained the direction: the next wait must see a new edge.
  void clear(Slot slot, Readiness drained);
  /// Resumes the waiter, if any, as if the socket were ready (watchdog, stop).
  void wake(Slot slot);

  /// Scratch for one read; nothing in it survives a wait of any session.
  std::vector<char>& read_buffer() { return read_buffer_; }

 private:
  using Handler =
      asio::async_result<asio::use_awaitable_t<>, void(boost::system::error_code)>::handler_type;
  struct Entry {
    std::optional<Handler> waiter;
    std::uint32_t generation = 0;
    std::uint8_t ready = 0;
    std::uint8_t wanted = 0;
    bool used = false;
  };

  void arm();
  void dispatch();
  void raise(Entry& entry, std::uint8_t ready);

  asio::posix::stream_descriptor epoll_;
  std::deque<Entry> entries_;  ///< stable addresses while growing
  std::vector<std::uint32_t> free_;
  std::vector<char> read_buffer_;
};

}  // namespace proto_pg::client
