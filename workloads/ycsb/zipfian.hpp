#pragma once

#include <cstdint>

namespace workloads::ycsb {

/// The exponent of every zipfian of YCSB.
inline constexpr double kTheta = 0.99;

/// Sum of i^-0.99 for i = from+1 .. to, added to `start`: zeta(to) if `start` is zeta(from). Takes a second
/// for some ten million.
double zeta(std::uint64_t to, std::uint64_t from = 0, double start = 0);

/// YCSB's zipfian (Gray et al.: "Quickly Generating Billion-Record Synthetic Databases", 1994): ranks 0 ..
/// items-1, 0 the most frequent. It gives rank 2 more than the law does; that is part of the workload.
class Zipfian {
 public:
  /// `zeta_items`: zeta(items). `items_of_eta`: YCSB's latest distribution keeps the number it began with in
  /// one term while it grows.
  Zipfian(std::uint64_t items, double zeta_items, std::uint64_t items_of_eta);
  Zipfian(std::uint64_t items, double zeta_items) : Zipfian(items, zeta_items, items) {}
  explicit Zipfian(std::uint64_t items) : Zipfian(items, zeta(items)) {}

  /// `unit` in [0, 1).
  std::uint64_t rank(double unit) const;
  double eta() const { return eta_; }

 private:
  double items_;
  double zeta_;
  double eta_;
};

/// Zipfian ranks of ten billion, hashed onto [low, high]: the frequent ones lie anywhere.
class ScrambledZipfian {
 public:
  ScrambledZipfian(std::uint64_t low, std::uint64_t high);
  std::uint64_t number(double unit) const;

 private:
  std::uint64_t low_;
  std::uint64_t count_;
  Zipfian ranks_;
};

}  // namespace workloads::ycsb
