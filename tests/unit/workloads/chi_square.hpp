#pragma once

#include <cstdint>
#include <span>

namespace workloads::testing {

/// Pearson's statistic against equal expectations. With k cells it has mean k - 1 and standard deviation
/// sqrt(2(k - 1)); the seeds of the tests are fixed, so a bound of some deviations either holds always or
/// never.
inline double chi_square(std::span<const std::uint64_t> cells) {
  double total = 0;
  for (const auto cell : cells) total += static_cast<double>(cell);
  const double expected = total / static_cast<double>(cells.size());
  double sum = 0;
  for (const auto cell : cells) {
    const double off = static_cast<double>(cell) - expected;
    sum += off * off / expected;
  }
  return sum;
}

}  // namespace workloads::testing
