#include "src/engine/self_meter.hpp"

namespace pgload::engine {

namespace {

std::chrono::nanoseconds wall_now() { return std::chrono::system_clock::now().time_since_epoch(); }

}  // namespace

bool WallClock::trusted(Clock::time_point now, std::chrono::nanoseconds wall) {
  const std::chrono::nanoseconds offset = wall - now.time_since_epoch();
  const bool jumped = offset_ && std::chrono::abs(offset - *offset_) > kTolerance;
  if (jumped) doubted_until_ = now + kDoubt;
  offset_ = offset;
  return now >= doubted_until_;
}

void SelfMeter::begin(Window window, Clock::time_point now) {
  window_ = window;
  began_ = now;
  for (stats::LatencyHistogram* each : {&timer_lateness_, &client_error_, &loop_delay_}) each->reset();
}

void SelfMeter::reply_handled(void* object, std::chrono::nanoseconds received, std::uint32_t weight) {
  const std::chrono::nanoseconds wall = wall_now();
  static_cast<SelfMeter*>(object)->reply_handled(received, weight, Clock::now(), wall);
}

void SelfMeter::reply_handled(std::chrono::nanoseconds received, std::uint32_t weight, Clock::time_point now,
                              std::chrono::nanoseconds wall) {
  const std::chrono::nanoseconds error = wall - received;
  const bool possible = error.count() >= 0 && error <= now - began_;  // else it is another clock's
  if (!wall_clock_.trusted(now, wall) || !possible || !window_.contains(now)) return;
  client_error_.record(error, weight);
}

void SelfMeter::watch_clock() {
  const std::chrono::nanoseconds wall = wall_now();
  (void)wall_clock_.trusted(Clock::now(), wall);
}

void SelfMeter::task_ran(Clock::time_point due, Clock::time_point posted, Clock::duration interval,
                         Clock::time_point now) {
  for (Clock::time_point each = due; each <= posted; each += interval) {
    if (window_.contains(each)) loop_delay_.record(now - each);
  }
}

}  // namespace pgload::engine
