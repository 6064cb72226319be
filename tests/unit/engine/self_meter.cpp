#include "src/engine/self_meter.hpp"

#include <doctest/doctest.h>

#include <array>

namespace {

using namespace pgload::engine;
using namespace std::chrono_literals;

constexpr std::chrono::nanoseconds kNoon = 12h;  ///< on the wall, when the steady clock shows 1 h
const Clock::time_point kStart{1h};

/// A SelfMeter whose window is the hour from kStart on.
SelfMeter meter() {
  SelfMeter one;
  one.begin({kStart, kStart + 1h}, kStart - 1s);
  return one;
}

TEST_CASE("a wall clock that goes with the steady one is trusted") {
  WallClock clock;
  for (auto after = 0ms; after < 5s; after += 50ms) CHECK(clock.trusted(kStart + after, kNoon + after));
}

TEST_CASE("after a jump the wall clock is not trusted for a second") {
  for (const std::chrono::nanoseconds jump : std::array<std::chrono::nanoseconds, 3>{-1h, 1h, 2ms}) {
    WallClock clock;
    CHECK(clock.trusted(kStart, kNoon));
    CHECK_FALSE(clock.trusted(kStart + 10ms, kNoon + 10ms + jump));
    CHECK_FALSE(clock.trusted(kStart + 1009ms, kNoon + 1009ms + jump));
    CHECK(clock.trusted(kStart + 1010ms, kNoon + 1010ms + jump));
  }
}

TEST_CASE("handled - received is the client's error, for as many replies as the sample stands for") {
  SelfMeter self = meter();
  self.reply_handled(kNoon + 1ms, 16, kStart + 3ms, kNoon + 3ms);
  CHECK(self.client_error().count() == 16);
  CHECK(self.client_error().max() == 2ms);
}

TEST_CASE("replies outside the window do not count") {
  SelfMeter self = meter();
  self.reply_handled(kNoon - 2ms, 1, kStart - 1ms, kNoon - 1ms);
  self.end_window(kStart + 1s);
  self.reply_handled(kNoon + 1s, 1, kStart + 1s, kNoon + 1s);
  CHECK(self.client_error().empty());
}

TEST_CASE("stamps around a jump of the wall clock are left out") {
  SelfMeter self = meter();
  self.reply_handled(kNoon, 1, kStart + 1ms, kNoon + 1ms);
  const auto before = kNoon + 2ms;                    // received
  const auto back = kNoon - 1h;                       // the wall clock is set back an hour
  self.reply_handled(before, 1, kStart + 3ms, back);  // handled before it was received
  self.reply_handled(back, 1, kStart + 4ms, back + 1ms);
  CHECK(self.client_error().count() == 1);
  self.reply_handled(back + 2s, 1, kStart + 2004ms, back + 2001ms);
  CHECK(self.client_error().count() == 2);
  CHECK(self.client_error().max() == 1ms);
  const auto forth = kNoon + 1h;
  self.reply_handled(back + 2s, 1, kStart + 2005ms, forth);  // an hour, it seems
  CHECK(self.client_error().count() == 2);
}

TEST_CASE("a stamp of another clock is left out: nothing is older than the run") {
  SelfMeter self = meter();
  self.reply_handled(kNoon - 1h, 1, kStart + 1s, kNoon + 1s);
  self.reply_handled(kNoon + 1h, 1, kStart + 1s, kNoon + 1s);
  CHECK(self.client_error().empty());
  self.reply_handled(kNoon - 1s, 1, kStart + 1s, kNoon + 1s);
  CHECK(self.client_error().max() == 2s);
}

TEST_CASE("a task counts from when it was posted") {
  SelfMeter self = meter();
  self.task_ran(kStart + 1s, kStart + 1s, 20ms, kStart + 1s + 300us);
  CHECK(self.loop_delay().count() == 1);
  CHECK(self.loop_delay().max() == 300us);
}

TEST_CASE("a poster that was held up stands for the tasks that it missed") {
  SelfMeter self = meter();
  self.task_ran(kStart + 1s, kStart + 3s, 20ms, kStart + 3s);
  CHECK(self.loop_delay().count() == 101);
  CHECK(self.loop_delay().max() == 2s);
  CHECK(self.loop_delay().mean_ns() == doctest::Approx(1e9));
}

TEST_CASE("timers count inside the window") {
  SelfMeter self;
  self.timer_fired(kStart, kStart + 1ms);
  CHECK(self.timer_lateness().empty());
  self.begin({kStart, kStart + 1h}, kStart);
  self.timer_fired(kStart, kStart + 1ms);
  CHECK(self.timer_lateness().max() == 1ms);
  self.begin({kStart, kStart + 1h}, kStart);  // the next run
  CHECK(self.timer_lateness().empty());
}

TEST_CASE("what comes in after the end of a run is not recorded") {
  SelfMeter self = meter();
  self.close();
  self.end_window(kStart + 1h);  // asked for before the worker had ended
  self.reply_handled(kNoon + 1ms, 1, kStart + 3ms, kNoon + 3ms);
  self.timer_fired(kStart + 1s, kStart + 2s);
  self.task_ran(kStart + 1s, kStart + 1s, 20ms, kStart + 2s);
  CHECK(self.client_error().empty());
  CHECK(self.timer_lateness().empty());
  CHECK(self.loop_delay().empty());
}

}  // namespace
