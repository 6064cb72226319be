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

/// After so many rounds timers and posted work have their turn.
constexpr int kRoundsPerTurn = 8;

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
  for (const auto& entry : entries_) entry->waiter.reset();
}

Poller::Slot Poller::add(int fd, std::error_code& error) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(entries_.size()));
    entries_.push_back(std::make_unique<Entry>());
    entries_.back()->index = free_.back();
  }
  Entry& entry = *entries_[free_.back()];
  const Slot slot{&entry, entry.generation + 1};
  epoll_event event{};
  event.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
  event.data.u64 = std::uint64_t{slot.generation} << 32 | entry.index;
  if (::epoll_ctl(epoll_.native_handle(), EPOLL_CTL_ADD, fd, &event) != 0) {
    error.assign(errno, std::system_category());
    return {};
  }
  free_.pop_back();
  entry.generation = slot.generation;
  entry.ready = entry.lasting = 0;
  return slot;
}

void Poller::remove(Slot slot) {
  Entry* entry = find(slot);
  if (!entry) return;
  assert(!entry->waiter);
  ++entry->generation;
  free_.push_back(entry->index);
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

// `armed_` stays true meanwhile: waits that start in here need no arming of their own. While sockets were
// served others have become ready: looking again costs one system call, going back to the io_context three.
void Poller::dispatch() {
  std::array<epoll_event, 256> events;
  for (int round = 0; round < kRoundsPerTurn; ++round) {
    const int count = ::epoll_wait(epoll_.native_handle(), events.data(), static_cast<int>(events.size()), 0);
    if (count > 0 && receive_sampler_.on()) receive_sampler_.begin_round(ReceiveSampler::Clock::now());
    for (int i = 0; i < count; ++i) raise(events[i].data.u64, events[i].events);
    if (count <= 0) break;
  }
  armed_ = false;
  if (waiters_ > 0) arm();
}

void Poller::raise(std::uint64_t cookie, std::uint32_t events) {
  const auto generation = static_cast<std::uint32_t>(cookie >> 32);
  Entry* entry = find({entries_[static_cast<std::uint32_t>(cookie)].get(), generation});
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
