#pragma once

#include <cstdint>

namespace workloads::random {

/// All 2^32 numbers once each, in an order that looks random: sysbench's `unique`. The n-th number is a pure
/// function of two keys and n, so sessions that share one sequence need no counter in common.
class UniqueSequence {
 public:
  UniqueSequence(std::uint32_t key_a, std::uint32_t key_b)
      : first_(permute(permute(key_a) + 0x682f0161)), offset_(permute(permute(key_b) + 0x46790905)) {}

  std::uint32_t at(std::uint32_t n) const { return permute((permute(first_ + n) + offset_) ^ 0x5bf03635); }

 private:
  /// A permutation of the 32-bit numbers: quadratic residues modulo a prime that is 3 modulo 4, mirrored in
  /// its upper half; the few numbers above the prime stay.
  static std::uint32_t permute(std::uint32_t x) {
    constexpr std::uint32_t kPrime = 4294967291U;
    if (x >= kPrime) return x;
    const auto residue = static_cast<std::uint32_t>(std::uint64_t{x} * x % kPrime);
    return x <= kPrime / 2 ? residue : kPrime - residue;
  }

  std::uint32_t first_;
  std::uint32_t offset_;
};

}  // namespace workloads::random
