#include "src/engine/wake_queue.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <utility>

namespace pgload::engine {

namespace asio = boost::asio;

asio::awaitable<void> WakeQueue::sleep_until(Sleeper& sleeper, Clock::time_point due) {
  return asio::async_initiate<const asio::use_awaitable_t<>&, void()>(
      [this, &sleeper, due](Handler handler) {
        sleeper.emplace(std::move(handler));
        add(sleeper, due);
      },
      asio::use_awaitable);
}

void WakeQueue::add(Sleeper& sleeper, Clock::time_point due) {
  if (ended_) {
    resume_soon(sleeper);
    return;
  }
  entries_.push_back({due, added_++, &sleeper});
  std::ranges::push_heap(entries_, std::less<Entry>());
  arm();
}

void WakeQueue::wake_first() {
  std::ranges::pop_heap(entries_, std::less<Entry>());
  Sleeper& sleeper = *entries_.back().sleeper;
  entries_.pop_back();
  resume_soon(sleeper);
}

void WakeQueue::resume_soon(Sleeper& sleeper) {
  asio::post(context_, [handler = std::move(*sleeper)]() mutable { std::move(handler)(); });
  sleeper.reset();
}

void WakeQueue::arm() {
  if (entries_.empty() || entries_.front().due >= armed_for_) return;
  armed_for_ = entries_.front().due;
  timer_.expires_at(armed_for_);
  timer_.async_wait([this](boost::system::error_code error) {
    if (!error) wake_due();
  });
}

void WakeQueue::wake_due() {
  const Clock::time_point now = Clock::now();
  if (armed_for_ >= measured_from_) lateness_.record(now - armed_for_);
  while (!entries_.empty() && entries_.front().due <= now) wake_first();
  armed_for_ = Clock::time_point::max();
  arm();
}

void WakeQueue::end() {
  ended_ = true;
  timer_.cancel();
  armed_for_ = Clock::time_point::max();
  while (!entries_.empty()) wake_first();
}

}  // namespace pgload::engine
