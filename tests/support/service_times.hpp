#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <random>
#include <vector>

namespace support {

/// How long a scripted server takes for each answer, and what it really took: the log is the referee, since a
/// sleep lasts longer than it was told. For all sessions of a server together.
class ServiceTimes {
 public:
  using Clock = std::chrono::steady_clock;
  using Duration = std::chrono::nanoseconds;
  using Draw = std::function<Duration(std::mt19937_64&)>;

  static Draw constant(Duration time);
  static Draw exponential(Duration mean);
  /// `seldom` in this share of the answers.
  static Draw bimodal(Duration usual, Duration seldom, double share);

  explicit ServiceTimes(Draw draw, std::uint64_t seed = 1) : draw_(std::move(draw)), generator_(seed) {}

  /// Returns, as exactly as the machine can, the next time after the request was received. Then the answer
  /// has to be sent at once.
  void serve(Clock::time_point received);

  struct Served {
    Clock::time_point received, answered;
  };
  /// In the order of answers.
  std::vector<Served> log() const;
  /// Answered - received, ascending.
  std::vector<Duration> sorted() const;

 private:
  Draw draw_;
  mutable std::mutex mutex_;
  std::mt19937_64 generator_;
  std::vector<Served> log_;
};

}  // namespace support
