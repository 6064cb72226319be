#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

#include "src/engine/load_profile.hpp"

namespace pgload::engine {

enum class ArrivalKind : std::uint8_t { poisson, uniform };

/// The intended start of the k-th transaction: a pure function of (rate, kind, seed). It reads no clock, and
/// neither workers nor sessions change it. Any arrival, and the number of arrivals before any instant, is
/// found in logarithmic time: skipping 10^12 of them costs what skipping one does.
///
/// Poisson arrivals are made on the axis of planned arrivals (the integral of the rate), where they are a
/// process of rate 1, and carried to the axis of time by the inverse integral. On that axis an interval of
/// 2^n has a number of arrivals which is split between its halves by a binomial draw seeded by (seed, half):
/// a tree whose leaves hold some 256 arrivals. (The splitting property of the Poisson process: Kingman,
/// "Poisson Processes", 1993, section 2.4.)
class ArrivalSchedule {
 public:
  /// Time since the schedule's start; what never arrives is kNever.
  using Offset = std::chrono::nanoseconds;
  static constexpr Offset kNever = Offset::max();

  /// `phase`, 0 to 1: of the first uniform arrival, in arrivals. Schedules of rate/N each, with phases i/N,
  /// together are the uniform arrivals of the whole rate.
  ArrivalSchedule(LoadProfile rate, ArrivalKind kind, std::uint64_t seed, double phase = 0)
      : rate_(std::move(rate)), kind_(kind), seed_(seed), phase_(phase) {}

  /// Walks over a schedule; remembers one leaf, so the next arrival is cheap. Allocates nothing once warm.
  /// One for each thread; the schedule must outlive it.
  class Cursor {
   public:
    explicit Cursor(const ArrivalSchedule& schedule) : schedule_(schedule) { leaf_.reserve(kLeafReserve); }

    /// When arrival k = 0, 1, 2 … is due; ascending in k.
    Offset at(std::uint64_t k);
    /// How many arrivals are due before `t`: the smallest k with at(k) >= t.
    std::uint64_t count_before(Offset t);

   private:
    static constexpr std::size_t kLeafReserve = 1024;

    void load(std::uint64_t index, std::uint64_t first, std::uint64_t count);
    std::uint64_t count_below(double position);

    const ArrivalSchedule& schedule_;
    std::uint64_t leaf_first_ = 0;  ///< number of the leaf's first arrival
    std::vector<double> leaf_;      ///< positions of its arrivals on the axis of planned arrivals
  };

  const LoadProfile& rate() const { return rate_; }

 private:
  LoadProfile rate_;
  ArrivalKind kind_;
  std::uint64_t seed_;
  double phase_;
};

}  // namespace pgload::engine
