#include "src/stats/latency_histogram.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <utility>
#include <vector>

namespace {

using pgload::stats::LatencyHistogram;
using Duration = LatencyHistogram::Duration;

constexpr auto kMaxInt64 = std::numeric_limits<std::int64_t>::max();

LatencyHistogram histogram_of(const std::vector<std::int64_t>& values) {
  LatencyHistogram histogram;
  for (const std::int64_t value : values) {
    histogram.record(Duration(value));
  }
  return histogram;
}

/// The rank that percentile `thousandths`/1000 of `count` values means: the definition, in integers.
std::uint64_t rank_of(std::uint64_t thousandths, std::uint64_t count) {
  return std::max<std::uint64_t>((thousandths * count + 99'999) / 100'000, 1);
}

using Draw = std::function<std::int64_t(std::mt19937_64&)>;

std::vector<std::pair<const char*, Draw>> distributions() {
  std::vector<std::pair<const char*, Draw>> all;
  all.emplace_back("small",
                   [](auto& random) { return std::uniform_int_distribution<std::int64_t>(0, 3000)(random); });
  all.emplace_back("wide", [](auto& random) {
    return std::uniform_int_distribution<std::int64_t>(0, LatencyHistogram::kHighestTrackable)(random);
  });
  all.emplace_back("log-uniform", [](auto& random) {
    return std::int64_t{1} << std::uniform_int_distribution<int>(0, 41)(random);
  });
  all.emplace_back("exponential", [](auto& random) {
    return std::llround(std::exponential_distribution<double>(1e-6)(random));
  });
  all.emplace_back("lognormal", [](auto& random) {
    return std::llround(std::lognormal_distribution<double>(13, 2)(random));
  });
  all.emplace_back("bimodal", [](auto& random) {
    return std::bernoulli_distribution(0.01)(random) ? 2'000'000'000 + std::int64_t(random() % 1000)
                                                     : 300'000 + std::int64_t(random() % 100);
  });
  all.emplace_back("constant", [](auto&) { return std::int64_t{123'456'789}; });
  return all;
}

void check_against_sorted(std::vector<std::int64_t> values, std::mt19937_64& random) {
  const LatencyHistogram histogram = histogram_of(values);
  std::ranges::sort(values);
  CHECK(histogram.count() == values.size());
  CHECK(histogram.min()->count() == values.front());
  CHECK(histogram.max()->count() == values.back());
  long double sum = 0;
  for (const std::int64_t value : values) {
    sum += static_cast<long double>(value);
  }
  CHECK(*histogram.mean_ns() == static_cast<double>(sum / static_cast<long double>(values.size())));
  for (int i = 0; i < 200; ++i) {
    const std::uint64_t thousandths = random() % 100'001;
    const std::uint64_t rank = rank_of(thousandths, values.size());
    const std::int64_t exact = values[rank - 1];
    const std::int64_t bucket_end = LatencyHistogram::highest_equivalent(LatencyHistogram::index_of(exact));
    const std::int64_t expected = rank == values.size() ? exact : std::min(bucket_end, values.back());
    const std::int64_t reported = histogram.percentile(static_cast<double>(thousandths) / 1000)->count();
    CAPTURE(thousandths);
    REQUIRE(reported == expected);
    REQUIRE(reported >= exact);
    REQUIRE(static_cast<double>(reported - exact) <= static_cast<double>(exact) / 1000);
  }
}

TEST_CASE("percentiles are those of the sorted values, to three digits and never above the maximum") {
  std::mt19937_64 random(20240229);
  for (const auto& [name, draw] : distributions()) {
    CAPTURE(name);
    for (const std::size_t size : {1, 2, 3, 10, 999, 1000, 1001, 20'000}) {
      CAPTURE(size);
      std::vector<std::int64_t> values(size);
      std::ranges::generate(values, [&] { return draw(random); });
      check_against_sorted(std::move(values), random);
    }
  }
}

TEST_CASE("a percentile that is not exact in binary still means the rank that was written") {
  std::vector<std::int64_t> values;
  for (std::int64_t i = 1; i <= 1000; ++i) {
    values.push_back(i);
  }
  const LatencyHistogram histogram = histogram_of(values);
  CHECK(histogram.percentile(99.9)->count() == 999);
  CHECK(histogram.percentile(99.91)->count() == 1000);
  CHECK(histogram.percentile(0.1)->count() == 1);
  CHECK(histogram.percentile(0.100000001)->count() == 2);
  for (int tenths = 1; tenths <= 1000; ++tenths) {
    REQUIRE(histogram.percentile(tenths / 10.0)->count() == tenths);
  }
  CHECK(histogram.percentile(0)->count() == 1);
  CHECK(histogram.percentile(-1)->count() == 1);
  CHECK(histogram.percentile(std::nan(""))->count() == 1);
  CHECK(histogram.percentile(101)->count() == 1000);
}

TEST_CASE("an empty histogram has nothing to say") {
  LatencyHistogram histogram;
  const auto check_empty = [&] {
    CHECK(histogram.empty());
    CHECK(histogram.count() == 0);
    CHECK_FALSE(histogram.min());
    CHECK_FALSE(histogram.max());
    CHECK_FALSE(histogram.mean_ns());
    CHECK_FALSE(histogram.percentile(0));
    CHECK_FALSE(histogram.percentile(50));
    CHECK_FALSE(histogram.percentile(100));
  };
  check_empty();
  CHECK(histogram.counts().empty());
  histogram.record(Duration(5'000'000'000'000));
  histogram.record_at_least(Duration(7));
  histogram.reset();
  check_empty();
  CHECK(histogram.saturated() == 0);
  CHECK(histogram.at_least_count() == 0);
  CHECK(std::ranges::all_of(histogram.counts(), [](std::uint64_t n) { return n == 0; }));
}

TEST_CASE("values out of range are counted and never crash") {
  LatencyHistogram histogram;
  histogram.record(Duration(-1));
  histogram.record(Duration(std::numeric_limits<std::int64_t>::min()));
  CHECK(histogram.max()->count() == 0);
  CHECK(histogram.min()->count() == 0);
  CHECK(histogram.counts()[0] == 2);

  histogram.record(Duration(LatencyHistogram::kHighestCounted));
  CHECK(histogram.saturated() == 0);
  CHECK(histogram.counts().back() == 1);
  histogram.record(Duration(LatencyHistogram::kHighestCounted + 1));
  histogram.record(Duration(kMaxInt64));
  histogram.record_at_least(Duration(kMaxInt64));
  CHECK(histogram.saturated() == 3);
  CHECK(histogram.counts().back() == 4);
  CHECK(histogram.max()->count() == kMaxInt64);
  CHECK(histogram.percentile(100)->count() == kMaxInt64);
  CHECK(histogram.percentile(70)->count() == LatencyHistogram::kHighestCounted);
}

TEST_CASE("the sum of values is exact far beyond 64 bits") {
  LatencyHistogram histogram;
  for (int i = 0; i < 8; ++i) {
    histogram.record(Duration(kMaxInt64));
  }
  CHECK(*histogram.mean_ns() == static_cast<double>(kMaxInt64));
}

TEST_CASE("unfinished transactions count in percentiles and maximum, not in mean and minimum") {
  LatencyHistogram histogram;
  histogram.record_at_least(Duration(50));
  CHECK_FALSE(histogram.mean_ns());
  CHECK_FALSE(histogram.min());
  CHECK(histogram.max()->count() == 50);
  CHECK(histogram.percentile(50)->count() == 50);
  histogram.record(Duration(100));
  histogram.record(Duration(200));
  histogram.record_at_least(Duration(1000));
  CHECK(histogram.count() == 4);
  CHECK(histogram.at_least_count() == 2);
  CHECK(*histogram.mean_ns() == 150);
  CHECK(histogram.min()->count() == 100);
  CHECK(histogram.max()->count() == 1000);
  CHECK(histogram.percentile(50)->count() == 100);
  CHECK(histogram.percentile(75)->count() == 200);
}

TEST_CASE("the merge of parts is the whole, bucket for bucket") {
  std::mt19937_64 random(7);
  LatencyHistogram whole;
  std::vector<LatencyHistogram> parts(4);
  for (int i = 0; i < 20'000; ++i) {
    const auto value = static_cast<std::int64_t>(random() >> (random() % 60));
    LatencyHistogram& part = parts[random() % 3];  // the last stays empty
    if (random() % 100 == 0) {
      whole.record_at_least(Duration(value));
      part.record_at_least(Duration(value));
    } else {
      whole.record(Duration(value));
      part.record(Duration(value));
    }
  }
  LatencyHistogram merged;
  for (const LatencyHistogram& part : parts) {
    merged.merge(part);
  }
  const LatencyHistogram copy = merged;
  const LatencyHistogram moved = std::move(merged);
  for (const LatencyHistogram* other : {&copy, &moved}) {
    CHECK(std::ranges::equal(other->counts(), whole.counts()));
    CHECK(other->count() == whole.count());
    CHECK(other->at_least_count() == whole.at_least_count());
    CHECK(other->saturated() == whole.saturated());
    CHECK(other->min() == whole.min());
    CHECK(other->max() == whole.max());
    CHECK(other->mean_ns() == whole.mean_ns());
  }
}

TEST_CASE("copies are independent and a moved-from histogram is an empty one") {
  LatencyHistogram first = histogram_of({1, 2, 3});
  LatencyHistogram second = histogram_of({1'000'000});
  second = first;
  first.record(Duration(4));
  CHECK(second.count() == 3);
  CHECK(second.max()->count() == 3);
  CHECK(first.count() == 4);
  LatencyHistogram third = std::move(first);
  first.record(Duration(9));  // NOLINT(bugprone-use-after-move): what this test is about
  CHECK(first.count() == 1);
  CHECK(third.count() == 4);
  const LatencyHistogram& alias = third;
  third = alias;
  CHECK(third.count() == 4);
}

TEST_CASE("a value that stands for many counts as many") {
  LatencyHistogram sampled;
  sampled.record(Duration(1'000), 16);
  sampled.record(Duration(LatencyHistogram::kHighestCounted + 1), 3);
  LatencyHistogram all;
  for (int i = 0; i < 16; ++i) all.record(Duration(1'000));
  for (int i = 0; i < 3; ++i) all.record(Duration(LatencyHistogram::kHighestCounted + 1));
  CHECK(std::ranges::equal(sampled.counts(), all.counts()));
  CHECK(sampled.count() == 19);
  CHECK(sampled.saturated() == 3);
  CHECK(sampled.mean_ns() == all.mean_ns());
}

TEST_CASE("how many values lie beyond a percentile") {
  LatencyHistogram latency;
  CHECK(latency.samples_beyond(50) == 0);
  for (int i = 1; i <= 1'000; ++i) latency.record(Duration(i));
  CHECK(latency.samples_beyond(0) == 999);
  CHECK(latency.samples_beyond(50) == 500);
  CHECK(latency.samples_beyond(99.9) == 1);
  CHECK(latency.samples_beyond(100) == 0);
}

TEST_CASE("indexes are those of HdrHistogram with 3 digits from 1") {
  // bucket 0 has 2048 steps of 1; each further bucket 1024 steps of twice the width
  CHECK(LatencyHistogram::index_of(0) == 0);
  CHECK(LatencyHistogram::index_of(2047) == 2047);
  CHECK(LatencyHistogram::index_of(2048) == 2048);
  CHECK(LatencyHistogram::index_of(2049) == 2048);
  CHECK(LatencyHistogram::index_of(4095) == 3071);
  CHECK(LatencyHistogram::index_of(4096) == 3072);
  CHECK(LatencyHistogram::index_of(LatencyHistogram::kHighestCounted) == 33'791);
  for (std::size_t i = 0; i < 33'792; ++i) {
    const std::int64_t low = LatencyHistogram::lowest_equivalent(i);
    const std::int64_t high = LatencyHistogram::highest_equivalent(i);
    REQUIRE(LatencyHistogram::index_of(low) == i);
    REQUIRE(LatencyHistogram::index_of(high) == i);
    REQUIRE(static_cast<double>(high - low) <= static_cast<double>(low) / 1000);
  }
}

}  // namespace
