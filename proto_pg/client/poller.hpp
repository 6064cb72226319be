#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <system_error>
#include <vector>

#include "proto_pg/client/receive_sampler.hpp"

namespace proto_pg::client {

namespace asio = boost::asio;

enum class Readiness : std::uint8_t { readable = 1, writable = 2, either = 3 };

/// Readiness of many sockets for one worker: an edge-triggered epoll of its own, nested in the worker's
/// io_context as one descriptor. Each socket is registered once, so a wait costs no system call, and one
/// coroutine can wait for "readable or writable", which plain Asio does not offer. Also owns what the
/// worker's sessions share: the large read buffer, the queue for handshakes, the sampler of receive stamps.
///
/// All members are called on the worker's thread only. It must outlive every stream that uses it. While
/// nobody waits it asks nothing of the io_context, so `run()` returns when the last coroutine has ended.
class Poller {
 public:
  static constexpr std::size_t kReadBufferBytes = std::size_t{64} << 10;

  explicit Poller(asio::io_context& context);
  ~Poller();
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

  struct Entry;
  /// Handle of a registered socket; stale handles are harmless (generation-checked).
  struct Slot {
    Entry* entry = nullptr;
    std::uint32_t generation = 0;
  };

  /// Registers a socket that is connected or connecting (an idle one would count as hung up).
  Slot add(int fd, std::error_code& error);
  /// The owner is about to close the descriptor (which unregisters it). Nobody may be waiting on it.
  void remove(Slot slot);

  /// Resumes when one of `wanted` is (or has become since it was last cleared) ready; errors and hang-ups
  /// count as both. At most one waiter per slot. If it is ready already, everybody else gets a turn first.
  asio::awaitable<void> wait(Slot slot, Readiness wanted);
  bool ready(Slot slot, Readiness wanted);
  /// The owner drained the direction: the next wait must see a new edge. A hang-up stays.
  void clear(Slot slot, Readiness drained);
  /// The owner wants to try although no edge was seen.
  void assume(Slot slot, Readiness ready);
  /// The slot counts as ready from now on; its waiter, if any, resumes soon (watchdog, stop).
  void wake(Slot slot);

  /// Resumes later, one caller per turn of the io_context: for what costs most of a millisecond (handshakes),
  /// so that a storm of reconnects is not everyone's lag.
  asio::awaitable<void> take_turn();

  /// Scratch for one read; nothing in it survives a wait of any session.
  std::vector<char>& read_buffer() { return read_buffer_; }
  ReceiveSampler& receive_sampler() { return receive_sampler_; }

 private:
  using Handler = asio::async_result<asio::use_awaitable_t<>, void(boost::system::error_code)>::handler_type;

  static Entry* find(Slot slot);
  void park(Slot slot, Readiness wanted, Handler handler);
  void resume_soon(Handler handler);
  void arm();
  void disarm();
  void dispatch();
  void raise(std::uint64_t cookie, std::uint32_t events);
  void next_turn();

  asio::posix::stream_descriptor epoll_;
  std::vector<std::unique_ptr<Entry>> entries_;  ///< reused, never given back while the Poller lives
  std::vector<std::uint32_t> free_;
  std::deque<Handler> turns_;
  std::vector<char> read_buffer_;
  ReceiveSampler receive_sampler_;
  std::size_t waiters_ = 0;
  std::uint64_t arming_ = 0;  ///< number of the newest async_wait; older ones have nothing to say
  bool armed_ = false;
};

struct Poller::Entry {
  std::optional<Handler> waiter;
  std::uint32_t index = 0;
  std::uint32_t generation = 0;  ///< odd while registered
  std::uint8_t ready = 0;
  std::uint8_t wanted = 0;
  std::uint8_t lasting = 0;  ///< what `clear` can't clear: hung up or woken
};

inline Poller::Entry* Poller::find(Slot slot) {
  return slot.entry && slot.entry->generation == slot.generation ? slot.entry : nullptr;
}

inline bool Poller::ready(Slot slot, Readiness wanted) {
  const Entry* entry = find(slot);
  return entry && entry->ready & static_cast<std::uint8_t>(wanted);
}

inline void Poller::clear(Slot slot, Readiness drained) {
  Entry* entry = find(slot);
  if (entry) entry->ready = (entry->ready & ~static_cast<std::uint8_t>(drained)) | entry->lasting;
}

}  // namespace proto_pg::client
