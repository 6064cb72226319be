#include "src/engine/arrival_schedule.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "workloads/random/generator.hpp"

namespace pgload::engine {

namespace {

using workloads::random::Generator;

/// The tree spans 2^50 planned arrivals: a million per second for 35 years.
constexpr int kTreeBits = 50;
constexpr std::uint64_t kMostArrivals = std::uint64_t{1} << kTreeBits;
constexpr int kLeafBits = 8;

double normal(Generator& generator) {
  const double radius = std::sqrt(-2 * std::log1p(-generator.unit()));
  return radius * std::cos(2 * std::numbers::pi * generator.unit());
}

/// mean + deviation x normal, as a count of at most `most`.
std::uint64_t rounded_normal(Generator& generator, double mean, double deviation, double most) {
  return static_cast<std::uint64_t>(std::clamp(std::round(mean + deviation * normal(generator)), 0.0, most));
}

/// Binomial(n, 1/2). Exact below 2048: so many fair bits are counted. Above, the normal distribution differs
/// by less than 1/(8n) anywhere (symmetric: its Edgeworth term of order n^-1/2 is zero).
std::uint64_t half_of(std::uint64_t n, Generator& generator) {
  if (n >= 2048) {
    const auto count = static_cast<double>(n);
    return rounded_normal(generator, count / 2, std::sqrt(count) / 2, count);
  }
  int heads = 0;
  for (; n >= 64; n -= 64) heads += std::popcount(generator.next());
  if (n > 0) heads += std::popcount(generator.next() >> (64 - n));
  return static_cast<std::uint64_t>(heads);
}

/// Of one node of the tree. Its streams number the nodes in the heap order of a binary tree, from 1: each
/// once.
Generator generator_of(int bits, std::uint64_t index, std::uint64_t seed) {
  return Generator(seed, (std::uint64_t{1} << (kTreeBits - bits)) + index);
}

/// A node of the tree on the way down.
struct Node {
  int bits = kTreeBits;     ///< it spans 2^bits
  std::uint64_t index = 0;  ///< among the nodes of its size
  std::uint64_t first = 0;  ///< number of its first arrival
  std::uint64_t count = 0;

  static Node root(std::uint64_t seed) {
    Generator generator(seed, 0);
    const double mean = std::ldexp(1.0, kTreeBits);
    Node node;
    node.count = rounded_normal(generator, mean, std::sqrt(mean), 2 * mean);
    return node;
  }
  std::uint64_t left_count(std::uint64_t seed) const {
    Generator draws = generator_of(bits, index, seed);
    return half_of(count, draws);
  }
  void descend(bool right, std::uint64_t left) {
    --bits;
    index = 2 * index + (right ? 1 : 0);
    first += right ? left : 0;
    count = right ? count - left : left;
  }
};

/// The leaf that holds arrival k.
Node leaf_of_arrival(std::uint64_t k, std::uint64_t seed) {
  Node node = Node::root(seed);
  while (node.bits > kLeafBits) {
    const std::uint64_t left = node.left_count(seed);
    node.descend(k >= node.first + left, left);
  }
  return node;
}

/// The leaf that spans `position`.
Node leaf_at(double position, std::uint64_t seed) {
  Node node = Node::root(seed);
  while (node.bits > kLeafBits) {
    const std::uint64_t left = node.left_count(seed);
    const double middle = std::ldexp(static_cast<double>(2 * node.index + 1), node.bits - 1);
    node.descend(position >= middle, left);
  }
  return node;
}

}  // namespace

void ArrivalSchedule::Cursor::load(std::uint64_t index, std::uint64_t first, std::uint64_t count) {
  Generator generator = generator_of(kLeafBits, index, schedule_.seed_);
  leaf_first_ = first;
  leaf_.resize(count);
  for (double& position : leaf_) {
    position = std::ldexp(static_cast<double>(index) + generator.unit(), kLeafBits);
  }
  std::ranges::sort(leaf_);
}

ArrivalSchedule::Offset ArrivalSchedule::Cursor::at(std::uint64_t k) {
  double position = static_cast<double>(k) + schedule_.phase_;
  if (schedule_.kind_ == ArrivalKind::poisson) {
    if (k >= kMostArrivals) return kNever;
    if (k < leaf_first_ || k - leaf_first_ >= leaf_.size()) {
      const Node leaf = leaf_of_arrival(k, schedule_.seed_);
      load(leaf.index, leaf.first, leaf.count);
    }
    position = leaf_[k - leaf_first_];
  }
  constexpr double kFarNs = 9.2e18;  // as far as a time point in ns reaches
  const double ns = schedule_.rate_.time_of_area(position) * 1e9;
  return ns < kFarNs ? Offset(static_cast<Offset::rep>(ns)) : kNever;
}

/// Arrivals below `position` on the axis of planned arrivals.
std::uint64_t ArrivalSchedule::Cursor::count_below(double position) {
  if (schedule_.kind_ == ArrivalKind::uniform)
    return static_cast<std::uint64_t>(std::max(0.0, std::ceil(position - schedule_.phase_)));
  const Node leaf = leaf_at(position, schedule_.seed_);
  load(leaf.index, leaf.first, leaf.count);
  return leaf.first + static_cast<std::uint64_t>(std::ranges::lower_bound(leaf_, position) - leaf_.begin());
}

std::uint64_t ArrivalSchedule::Cursor::count_before(Offset t) {
  if (t <= Offset::zero()) return 0;
  const double position = schedule_.rate_.area(static_cast<double>(t.count()) * 1e-9);
  std::uint64_t count = count_below(std::min(position, static_cast<double>(kMostArrivals) - 1));
  // Rounding may have put some on the wrong side.
  while (count > 0 && at(count - 1) >= t) --count;
  while (at(count) < t) ++count;
  return count;
}

}  // namespace pgload::engine
