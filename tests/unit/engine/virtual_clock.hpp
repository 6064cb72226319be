#pragma once

#include "src/engine/admission.hpp"

/// A clock that stands still until a test moves it.
struct VirtualClock {
  static inline pgload::engine::Clock::time_point now;
  static pgload::engine::Clock::time_point read() { return now; }
};
