#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace workloads::random {

/// One step of splitmix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014):
/// advances `state` and returns the mixed value. Seeds the generator below.
std::uint64_t splitmix64(std::uint64_t& state);

/// xoshiro256++ (Blackman, Vigna: "Scrambled Linear Pseudorandom Number Generators", 2021), seeded by
/// splitmix64. Small, fast, one per session; sessions get independent streams from (seed, stream).
class Generator {
 public:
  Generator(std::uint64_t seed, std::uint64_t stream);
  /// The raw state; not all zero.
  explicit Generator(const std::array<std::uint64_t, 4>& state) : state_(state) {}

  std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }
  /// Uniform in [0, 1), 53 bits.
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  /// Uniform in [low, high], both included, without bias over the whole 64-bit range (Lemire: "Fast Random
  /// Integer Generation in an Interval", 2019). low <= high.
  std::int64_t between(std::int64_t low, std::int64_t high);

 private:
  std::array<std::uint64_t, 4> state_;
};

/// The stream of one row of generated data: what it yields depends on (seed, table, row) alone, so that rows
/// can be made in any order, by any number of threads, and made again for a check.
Generator row_generator(std::uint64_t seed, std::uint64_t table, std::uint64_t row);

}  // namespace workloads::random
