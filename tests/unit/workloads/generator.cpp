#include "workloads/random/generator.hpp"

#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <set>

#include "tests/unit/workloads/chi_square.hpp"

using namespace workloads::random;
using workloads::testing::chi_square;

namespace {

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

/// 99 degrees of freedom: mean 99, deviation 14.1. Below 40 would be as suspicious as above 160.
void check_uniform(std::int64_t low, std::int64_t high) {
  Generator generator(42, 0);
  std::array<std::uint64_t, 100> cells{};
  const auto width = static_cast<long double>(high) - static_cast<long double>(low) + 1;
  for (int i = 0; i < 100'000; ++i) {
    const auto value = generator.between(low, high);
    REQUIRE(value >= low);
    REQUIRE(value <= high);
    const auto offset = static_cast<long double>(value) - static_cast<long double>(low);
    ++cells[static_cast<std::size_t>(offset * 100 / width)];
  }
  const double statistic = chi_square(cells);
  CHECK(statistic > 40);
  CHECK(statistic < 160);
}

}  // namespace

TEST_CASE("xoshiro256++ gives the values of its public reference") {
  Generator generator(std::array<std::uint64_t, 4>{1, 2, 3, 4});
  const std::array<std::uint64_t, 10> expected{41943041u,
                                               58720359u,
                                               3588806011781223u,
                                               3591011842654386u,
                                               9228616714210784205u,
                                               9973669472204895162u,
                                               14011001112246962877u,
                                               12406186145184390807u,
                                               15849039046786891736u,
                                               10450023813501588000u};
  for (const auto value : expected) CHECK(generator.next() == value);
}

TEST_CASE("splitmix64 gives the values of its public reference") {
  std::uint64_t state = 1234567;
  const std::array<std::uint64_t, 5> expected{6457827717110365317u, 3203168211198807973u,
                                              9817491932198370423u, 4593380528125082431u,
                                              16408922859458223821u};
  for (const auto value : expected) CHECK(splitmix64(state) == value);
}

TEST_CASE("streams of one seed, and seeds of one stream, differ from the first value on") {
  std::set<std::uint64_t> first;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    first.insert(Generator(7, i).next());
    first.insert(Generator(i + 1000, 7).next());
  }
  CHECK(first.size() == 2000);
  CHECK(Generator(7, 3).next() == Generator(7, 3).next());
}

TEST_CASE("between is uniform over small, odd and huge ranges") {
  check_uniform(1, 100);
  check_uniform(1, 10'000);
  check_uniform(-50, 949);
  check_uniform(1, 5'000'000'000);
  check_uniform(kMin, kMax);
  check_uniform(kMin, -1);
  check_uniform(0, kMax);
}

TEST_CASE("between has no bias where a plain product would have a large one") {
  // Three quarters of 2^64 values: without rejection the values = 0 mod 3 come twice as often as the others.
  Generator generator(11, 0);
  std::array<std::uint64_t, 3> cells{};
  for (int i = 0; i < 30'000; ++i) {
    const auto value = generator.between(kMin, kMin / 2 + kMax);
    ++cells[(static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(kMin)) % 3];
  }
  CHECK(chi_square(cells) < 14);  // 2 degrees of freedom: one in a thousand
}

TEST_CASE("between of one value is that value, at both ends of the range too") {
  Generator generator(1, 1);
  for (const std::int64_t value : {kMin, std::int64_t{-1}, std::int64_t{0}, std::int64_t{7}, kMax})
    CHECK(generator.between(value, value) == value);
}

TEST_CASE("between reaches both ends") {
  Generator generator(3, 0);
  std::set<std::int64_t> seen;
  for (int i = 0; i < 200; ++i) seen.insert(generator.between(-1, 1));
  CHECK(seen == std::set<std::int64_t>{-1, 0, 1});
}

TEST_CASE("unit lies in [0, 1) and is uniform") {
  Generator generator(5, 0);
  std::array<std::uint64_t, 100> cells{};
  for (int i = 0; i < 100'000; ++i) {
    const double value = generator.unit();
    REQUIRE(value >= 0);
    REQUIRE(value < 1);
    ++cells[static_cast<std::size_t>(value * 100)];
  }
  CHECK(chi_square(cells) < 160);
}

TEST_CASE("a row's stream depends on seed, table and number, each") {
  CHECK(row_generator(1, 2, 3).next() == row_generator(1, 2, 3).next());
  CHECK(row_generator(1, 2, 3).next() != row_generator(2, 2, 3).next());
  CHECK(row_generator(1, 2, 3).next() != row_generator(1, 3, 3).next());
  CHECK(row_generator(1, 2, 3).next() != row_generator(1, 2, 4).next());
  CHECK(row_generator(1, 2, 3).next() != row_generator(1, 3, 2).next());
  CHECK(row_generator(1, 2, 3).next() != row_generator(1, 2, 3 + (std::uint64_t{1} << 32)).next());
}

TEST_CASE("consecutive rows are independent of each other") {
  std::array<std::uint64_t, 100> cells{};
  for (std::uint64_t row = 1; row <= 100'000; ++row) {
    auto generator = row_generator(9, 1, row);
    ++cells[static_cast<std::size_t>(generator.between(0, 99))];
  }
  CHECK(chi_square(cells) > 40);
  CHECK(chi_square(cells) < 160);
}
