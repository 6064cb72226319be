#include "src/stats/packed_histogram.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>

namespace {

using namespace pgload::stats;
using namespace std::chrono_literals;

bool same(const LatencyHistogram& a, const LatencyHistogram& b) {
  return a.exact() == b.exact() && a.count() == b.count() &&
         (a.empty() || std::ranges::equal(a.counts(), b.counts()));
}

LatencyHistogram back(const LatencyHistogram& histogram) {
  const auto unpacked = unpack(pack(histogram));
  REQUIRE(unpacked);
  return *unpacked;
}

TEST_CASE("nothing packs to nothing") {
  const LatencyHistogram empty;
  CHECK(pack(empty).counts.empty());
  CHECK(same(back(empty), empty));
}

TEST_CASE("counts are ZigZag LEB128, runs of zeros negative") {
  LatencyHistogram histogram;
  histogram.record(1ns);
  histogram.record(1ns);
  histogram.record(4ns);
  CHECK(pack(histogram).counts == std::string("\x00\x04\x03\x02", 4));  // 0, 2, -2, 1
}

TEST_CASE("what was packed comes back exactly, whatever it holds") {
  std::mt19937_64 random(7);
  for (int round = 0; round < 60; ++round) {
    LatencyHistogram histogram;
    const int bits = 1 + round % 62;
    for (int i = 0; i < 500; ++i) {
      const std::chrono::nanoseconds value(random() >> (64 - bits));
      if (random() % 10 == 0) {
        histogram.record_at_least(value);
      } else {
        histogram.record(value);
      }
    }
    CAPTURE(round);
    CHECK(same(back(histogram), histogram));
  }
}

TEST_CASE("counts as large as they may be keep all their bits") {
  LatencyHistogram histogram;
  histogram.record(5ns);
  for (int i = 0; i < 62; ++i) {
    histogram.merge(LatencyHistogram(histogram));
  }
  CHECK(histogram.count() == 1ULL << 62);
  CHECK(same(back(histogram), histogram));
}

TEST_CASE("sums beyond 64 bits stay exact") {
  LatencyHistogram histogram;
  for (int i = 0; i < 10; ++i) {
    histogram.record(std::chrono::nanoseconds::max());
  }
  CHECK(same(back(histogram), histogram));
  CHECK(histogram.saturated() == 10);
}

TEST_CASE("bytes that are no histogram are refused") {
  LatencyHistogram histogram;
  histogram.record(100us);
  histogram.record(3s);
  const PackedHistogram good = pack(histogram);
  for (const std::string& counts :
       {std::string(), std::string("\xFF"), good.counts + "\x02",
        good.counts.substr(0, good.counts.size() - 1), std::string(50'000, '\x02'),
        std::string("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x02", 10)}) {
    CAPTURE(counts.size());
    CHECK_FALSE(unpack({counts, good.exact}));
  }
  PackedHistogram other_max = good;
  other_max.exact.max_ns = 1;
  CHECK_FALSE(unpack(other_max));
  PackedHistogram too_many = good;
  too_many.exact.at_least = 3;
  CHECK_FALSE(unpack(too_many));
}

}  // namespace
