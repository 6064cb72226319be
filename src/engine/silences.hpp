#pragma once

#include <array>
#include <cstddef>

#include "workloads/api/session.hpp"

namespace pgload::engine {

/// The longest stretches of time in which nothing ended. Of several workers, the stretches in which nothing
/// ended at any of them are found by intersecting; a few of each suffice, since a long silence of all is a
/// long one of each.
class Silences {
 public:
  using Clock = workloads::api::Clock;

  void begin(Clock::time_point start) { last_ = start; }
  /// Something ended; `now` ascends.
  void note(Clock::time_point now) {
    if (now - last_ > shortest_kept_) [[unlikely]] {
      keep({last_, now});
    }
    last_ = now;
  }

  Clock::time_point last_end() const { return last_; }

  /// The silences that both have in common.
  Silences common_with(const Silences& other) const;
  Clock::duration longest() const;

 private:
  struct Stretch {
    Clock::time_point from, to;
    Clock::duration length() const { return to - from; }
  };

  void keep(Stretch stretch);

  std::array<Stretch, 8> kept_{};  ///< the longest, in no order; length 0: none
  Clock::duration shortest_kept_{0};
  Clock::time_point last_{};
};

}  // namespace pgload::engine
