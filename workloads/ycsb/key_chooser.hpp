#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "workloads/random/generator.hpp"
#include "workloads/ycsb/insert_counter.hpp"
#include "workloads/ycsb/zipfian.hpp"

namespace workloads::ycsb {

enum class RequestDistribution : std::uint8_t { uniform, zipfian, latest, hotspot, exponential, sequential };

struct KeyRange {
  RequestDistribution distribution = RequestDistribution::uniform;
  std::uint64_t first = 0;     ///< insertstart
  std::uint64_t count = 1000;  ///< insertcount
  std::uint64_t records = 1000;
  std::uint64_t expected_inserts = 0;  ///< zipfian: the range grows by so many from the start
  double hotspot_data = 0.2, hotspot_operations = 0.8;
  double exponential_percentile = 95, exponential_share = 0.8571428571;
};

/// Zipfian from the last confirmed key backwards: what is new is read most. Follows the inserts.
class LatestKeys {
 public:
  explicit LatestKeys(std::uint64_t last);
  /// 1 .. `last`; key number 0 is never drawn, as in YCSB.
  std::uint64_t number(double unit, std::uint64_t last);

 private:
  double zeta_of(std::uint64_t items);

  std::uint64_t first_items_;
  std::atomic_flag extending_;
  std::atomic<std::uint64_t> items_;  ///< of which zeta_ is
  std::atomic<double> zeta_;
};

/// Draws the key of an operation by YCSB's request distributions: one that is in the table. Shared by all
/// sessions.
class KeyChooser {
 public:
  KeyChooser(const KeyRange& range, const InsertCounter& inserts);

  std::uint64_t draw(random::Generator& random);

 private:
  std::uint64_t draw_one(random::Generator& random, std::uint64_t last);
  std::uint64_t draw_hotspot(random::Generator& random) const;
  std::uint64_t draw_exponential(random::Generator& random, std::uint64_t last) const;

  KeyRange range_;
  const InsertCounter& inserts_;
  std::optional<ScrambledZipfian> zipfian_;
  std::optional<LatestKeys> latest_;
  double gamma_;  ///< of the exponential
  std::atomic<std::uint64_t> sequence_{0};
};

}  // namespace workloads::ycsb
