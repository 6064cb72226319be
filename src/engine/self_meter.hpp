#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "src/engine/recorder.hpp"
#include "src/stats/latency_histogram.hpp"

namespace pgload::engine {

/// Notices when the wall clock is set: its distance from the steady clock changes then, and only then (both
/// are slewed alike).
class WallClock {
 public:
  /// A stamp taken before the jump may be compared with a time after it: nothing is believed for this long.
  static constexpr std::chrono::seconds kDoubt{1};

  /// Looks at both clocks, read one after the other. False: a stamp must not be compared with `wall` now.
  bool trusted(Clock::time_point now, std::chrono::nanoseconds wall);

 private:
  /// More than the time that may pass between the two readings, less than what would matter.
  static constexpr std::chrono::milliseconds kTolerance{1};

  std::optional<std::chrono::nanoseconds> offset_;
  Clock::time_point doubted_until_ = Clock::time_point::min();
};

/// What one worker measures of itself inside the window. All calls come from the worker's thread; recording
/// allocates nothing.
class SelfMeter {
 public:
  /// A run begins `now`: no reply of its sessions was received before. Forgets the run before it.
  void begin(Window window, Clock::time_point now);
  void end_window(Clock::time_point end) { window_.end = end; }
  /// The run has ended for this worker: others may read now, and what still comes in is not recorded.
  void close() { window_ = kNoWindow; }

  /// A timer that was due at `due` fired at `now`.
  void timer_fired(Clock::time_point due, Clock::time_point now) {
    if (window_.contains(now)) timer_lateness_.record(now - due);
  }
  /// A ReceiveSampler's handler; `object` is the SelfMeter.
  static void reply_handled(void* object, std::chrono::nanoseconds received, std::uint32_t weight);
  /// The same with the clocks given.
  void reply_handled(std::chrono::nanoseconds received, std::uint32_t weight, Clock::time_point now,
                     std::chrono::nanoseconds wall);
  /// At every tick of the worker, so that a jump is noticed soon.
  void watch_clock();
  /// A posted task runs at `now`. It stands for tasks due every `interval` from `due` to `posted`: more than
  /// one if the poster itself was held up.
  void task_ran(Clock::time_point due, Clock::time_point posted, Clock::duration interval,
                Clock::time_point now);

  const stats::LatencyHistogram& timer_lateness() const { return timer_lateness_; }
  const stats::LatencyHistogram& client_error() const { return client_error_; }
  const stats::LatencyHistogram& loop_delay() const { return loop_delay_; }

 private:
  static constexpr Window kNoWindow{Clock::time_point::max(), Clock::time_point::max()};
  Window window_ = kNoWindow;
  Clock::time_point began_;
  WallClock wall_clock_;
  stats::LatencyHistogram timer_lateness_, client_error_, loop_delay_;
};

}  // namespace pgload::engine
