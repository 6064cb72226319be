#pragma once

#include <chrono>
#include <cstdint>

namespace proto_pg::client {

/// Chooses the replies whose kernel receive stamps are looked at, and hands those to its user: handled -
/// received is what the client itself added to a latency. One for each Poller, off until `start`. Allocates
/// nothing.
///
/// One reply in N is chosen, at random distances: a fixed rhythm could be that of a workload. After a silence
/// every reply of the round is: they are few then, and among them are those that waited for a client that was
/// stopped or got no CPU.
class ReceiveSampler {
 public:
  using Clock = std::chrono::steady_clock;
  /// A reply was handled just now. `received`: by the kernel, CLOCK_REALTIME. It stands for `weight` replies.
  using Handler = void (*)(void* object, std::chrono::nanoseconds received, std::uint32_t weight);

  static constexpr std::chrono::milliseconds kSilence{1};

  /// `one_in` at least 1. Connections that are opened from now on take part, if they are plain TCP.
  void start(std::uint32_t one_in, void* object, Handler handler) {
    one_in_ = one_in;
    object_ = object;
    handler_ = handler;
  }
  bool on() const { return one_in_ > 0; }

  /// The Poller found sockets ready.
  void begin_round(Clock::time_point now) {
    after_silence_ = now - last_round_ > kSilence;
    last_round_ = now;
  }

  /// For the next reply: how many it stands for, 0 if it is not chosen.
  std::uint32_t choose() {
    if (after_silence_) return 1;
    if (--distance_ > 0) return 0;
    random_ ^= random_ << 13;
    random_ ^= random_ >> 17;
    random_ ^= random_ << 5;
    distance_ = 1 + random_ % (2 * one_in_ - 1);  // uniform, the mean is one_in_
    return one_in_;
  }

  void handled(std::chrono::nanoseconds received, std::uint32_t weight) const {
    handler_(object_, received, weight);
  }

 private:
  std::uint32_t one_in_ = 0;
  std::uint32_t distance_ = 1;
  std::uint32_t random_ = 2463534242;  ///< never 0 (Marsaglia, "Xorshift RNGs")
  bool after_silence_ = false;
  Clock::time_point last_round_;
  void* object_ = nullptr;
  Handler handler_ = nullptr;
};

}  // namespace proto_pg::client
