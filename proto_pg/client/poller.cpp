#include "proto_pg/client/poller.hpp"

#include <sys/epoll.h>
#include <unistd.h>

#include <array>
#include <boost/asio/post.hpp>
#include <cassert>
#include <cerrno>
#include <utility>

namespace proto_pg::client {
namespace {

constexpr std::uint8_t bits(Readiness readiness) { return static_cast<std::uint8_t>(readiness); }

int create_epoll() {
  const int fd = ::epoll_create1(EPOLL_CLOEXEC);
  if (fd < 0) throw std::system_error(errno, std::system_category(), "epoll_create1");
  return fd;
}

std::uint8_t ready_bits(std::uint32_t events) {
  std::uint8_t ready = 0;
  if (events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR)) ready |= bits(Readiness::readable);
  if (events & (EPOLLOUT | EPOLLHUP | EPOLLERR)) ready |= bits(Readiness::writable);
  return ready;
}

// The edge of a FIN can arrive together with the last data, and a short read clears the flag: so a hang-up
// must last. EPOLLERR must not: a socket's error queue raises it too.
std::uint8_t lasting_bits(std::uint32_t events) {
  if (events & EPOLLHUP) return bits(Readiness::either);
  return events & EPOLLRDHUP ? bits(Readiness::readable) : std::uint8_t{0};
}

}  // namespace

Poller::Poller(asio::io_context& context) : epoll_(context, create_epoll()), read_buffer_(kReadBufferBytes) {}

Poller::~Poller() {
  for (Entry& entry : entries_) entry.waiter.reset();
}

Poller::Slot Poller::add(int fd, std::error_code& error) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(entries_.size()));
    entries_.emplace_back();
  }
  const Slot slot{free_.back(), entries_[free_.back()].generation + 1};
  epoll_event event{};
  event.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
  event.data.u64 = std::uint64_t{slot.generation} << 32 | slot.index;
  if (::epoll_ctl(epoll_.native_handle(), EPOLL_CTL_ADD, fd, &event) != 0) {
    error.assign(errno, std::system_category());
    return {};
  }
  free_.pop_back();
  Entry& entry = entries_[slot.index];
  entry.generation = slot.generation;
  entry.ready = entry.lasting = 0;
  entry.used = true;
  return slot;
}

void Poller::remove(Slot slot) {
  Entry* entry = find(slot);
  if (!entry) return;
  assert(!entry->waiter);
  entry->used = false;
  free_.push_back(slot.index);
}

Poller::Entry* Poller::find(Slot slot) {
  if (slot.index >= entries_.size()) return nullptr;
  Entry& entry = entries_[slot.index];
  return entry.used && entry.generation == slot.generation ? &entry : nullptr;
}

asio::awaitable<void> Poller::wait(Slot slot, Readiness wanted) {
  return asio::async_initiate<const asio::use_awaitable_t<>&, void(boost::system::error_code)>(
      [this, slot, wanted](Handler handler) { park(slot, wanted, std::move(handler)); }, asio::use_awaitable);
}

void Poller::park(Slot slot, Readiness wanted, Handler handler) {
  Entry* entry = find(slot);
  if (!entry || entry->ready & bits(wanted)) {
    resume_soon(std::move(handler));
    return;
  }
  assert(!entry->waiter);
  entry->wanted = bits(wanted);
  entry->waiter.emplace(std::move(handler));
  ++waiters_;
  if (!armed_) arm();
}

void Poller::resume_soon(Handler handler) {
  asio::post(epoll_.get_executor(),
             [handler = std::move(handler)]() mutable { handler(boost::system::error_code{}); });
}

bool Poller::ready(Slot slot, Readiness wanted) {
  const Entry* entry = find(slot);
  return entry && entry->ready & bits(wanted);
}

void Poller::clear(Slot slot, Readiness drained) {
  Entry* entry = find(slot);
  if (entry) entry->ready = (entry->ready & ~bits(drained)) | entry->lasting;
}

void Poller::assume(Slot slot, Readiness ready) {
  Entry* entry = find(slot);
  if (entry) entry->ready |= bits(ready);
}

void Poller::wake(Slot slot) {
  Entry* entry = find(slot);
  if (!entry) return;
  entry->ready = entry->lasting = bits(Readiness::either);
  if (!entry->waiter) return;
  Handler handler(std::move(*entry->waiter));
  entry->waiter.reset();
  resume_soon(std::move(handler));
  if (--waiters_ == 0) disarm();
}

void Poller::arm() {
  armed_ = true;
  epoll_.async_wait(asio::posix::stream_descriptor::wait_read,
                    [this, number = ++arming_](const boost::system::error_code& error) {
                      if (!error && number == arming_) dispatch();
                    });
}

void Poller::disarm() {
  if (!armed_) return;
  armed_ = false;
  ++arming_;
  epoll_.cancel();
}

// `armed_` stays true meanwhile: waits that start in here need no arming of their own.
void Poller::dispatch() {
  std::array<epoll_event, 256> events;
  int count = 0;
  do {
    count = ::epoll_wait(epoll_.native_handle(), events.data(), static_cast<int>(events.size()), 0);
    for (int i = 0; i < count; ++i) raise(events[i].data.u64, events[i].events);
  } while (count == static_cast<int>(events.size()));
  armed_ = false;
  if (waiters_ > 0) arm();
}

void Poller::raise(std::uint64_t cookie, std::uint32_t events) {
  const Slot slot{static_cast<std::uint32_t>(cookie), static_cast<std::uint32_t>(cookie >> 32)};
  Entry* entry = find(slot);
  if (!entry) return;
  entry->ready |= ready_bits(events);
  entry->lasting |= lasting_bits(events);
  if (!entry->waiter || !(entry->ready & entry->wanted)) return;
  Handler handler(std::move(*entry->waiter));
  entry->waiter.reset();
  --waiters_;
  handler(boost::system::error_code{});
}

asio::awaitable<void> Poller::take_turn() {
  return asio::async_initiate<const asio::use_awaitable_t<>&, void(boost::system::error_code)>(
      [this](Handler handler) {
        turns_.push_back(std::move(handler));
        if (turns_.size() == 1) next_turn();
      },
      asio::use_awaitable);
}

void Poller::next_turn() {
  asio::post(epoll_.get_executor(), [this] {
    Handler handler(std::move(turns_.front()));
    turns_.pop_front();
    if (!turns_.empty()) next_turn();
    handler(boost::system::error_code{});
  });
}

}  // namespace proto_pg::client
