#include "workloads/ycsb/zipfian.hpp"

#include <algorithm>
#include <cmath>

#include "workloads/ycsb/key.hpp"

namespace workloads::ycsb {

namespace {

constexpr double kAlpha = 1 / (1 - kTheta);
constexpr std::uint64_t kRanks = 10'000'000'001;
constexpr double kZetaOfRanks = 26.46902820178302;  ///< as YCSB has it: summing it up would take minutes

double zeta_of_two() {
  static const double value = 1 + std::pow(0.5, kTheta);
  return value;
}

}  // namespace

double zeta(std::uint64_t to, std::uint64_t from, double start) {
  double sum = start;
  for (std::uint64_t i = from + 1; i <= to; ++i) sum += std::pow(1 / static_cast<double>(i), kTheta);
  return sum;
}

Zipfian::Zipfian(std::uint64_t items, double zeta_items, std::uint64_t items_of_eta)
    : items_(static_cast<double>(items)),
      zeta_(zeta_items),
      eta_((1 - std::pow(2 / static_cast<double>(items_of_eta), 1 - kTheta)) /
           (1 - zeta_of_two() / zeta_items)) {}

std::uint64_t Zipfian::rank(double unit) const {
  const double scaled = unit * zeta_;
  if (scaled < 1 || items_ < 2) return 0;
  if (scaled < zeta_of_two() || items_ < 3) return 1;  // below three items eta says nothing
  const double rank = items_ * std::pow(eta_ * unit - eta_ + 1, kAlpha);
  return static_cast<std::uint64_t>(std::min(rank, items_ - 1));  // rounding may reach the number of items
}

ScrambledZipfian::ScrambledZipfian(std::uint64_t low, std::uint64_t high)
    : low_(low), count_(high - low + 1), ranks_(kRanks, kZetaOfRanks) {}

std::uint64_t ScrambledZipfian::number(double unit) const { return low_ + hash(ranks_.rank(unit)) % count_; }

}  // namespace workloads::ycsb
