#pragma once

#include <cstdint>

namespace workloads::random {

/// xoshiro256++ (Blackman, Vigna: "Scrambled Linear Pseudorandom Number Generators", 2021), seeded by splitmix64.
/// Small, fast, one per session; sessions get independent streams from (seed, stream).
class Generator {
 public:
  Generator(std::uint64_t seed, std::uint64_t stream);

  std::uint64_t next();
  /// Uniform in [0, 1), 53 bits.
  double unit();
  /// Uniform in [low, high], both included, without bias over the whole 64-bit range (Lemire: "Fast Random
  /// Integer Generation in an Interval", 2019). low <= high.
  std::int64_t between(std::int64_t low, std::int64_t high);

 private:
  std::uint64_t state_[4];
};

}  // namespace workloads::random
