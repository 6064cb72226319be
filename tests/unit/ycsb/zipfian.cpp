#include "workloads/ycsb/zipfian.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "workloads/random/generator.hpp"

namespace {

using namespace workloads::ycsb;
using workloads::random::Generator;

TEST_CASE("zeta") {
  CHECK(zeta(2) == doctest::Approx(1.5034777750283594).epsilon(1e-14));
  CHECK(zeta(100) == doctest::Approx(5.294568831377164).epsilon(1e-13));
  CHECK(zeta(999) == doctest::Approx(7.727881697979491).epsilon(1e-13));
  CHECK(zeta(10'000) == doctest::Approx(10.224361459595578).epsilon(1e-13));
  CHECK(zeta(1000, 100, zeta(100)) == doctest::Approx(7.728953217284729).epsilon(1e-13));
}

TEST_CASE("eta") {
  CHECK(Zipfian(100).eta() == doctest::Approx(0.05357974299).epsilon(1e-9));
  CHECK(Zipfian(1000).eta() == doctest::Approx(0.07480608671).epsilon(1e-9));
  CHECK(Zipfian(10'000'000'001, 26.46902820178302).eta() == doctest::Approx(0.21220003381).epsilon(1e-9));
}

/// The share of `value` among draws that are evenly spread over the units: exact but for the grid.
template <class Draw>
double share_of(Draw draw, std::uint64_t value) {
  constexpr int kGrid = 200'000;
  int hits = 0;
  for (int i = 0; i < kGrid; ++i) hits += draw((i + 0.5) / kGrid) == value;
  return static_cast<double>(hits) / kGrid;
}

TEST_CASE("the shares of a zipfian are YCSB's, rank 2 too often as there") {
  const Zipfian zipfian(1000);
  const auto rank = [&](double unit) { return zipfian.rank(unit); };
  const double wanted[] = {0.129384, 0.065142, 0.051040, 0.036339, 0.028259};
  for (std::uint64_t i = 0; i < 5; ++i) CHECK(share_of(rank, i) == doctest::Approx(wanted[i]).epsilon(0.001));
  CHECK(share_of(rank, 9) == doctest::Approx(0.013443).epsilon(0.002));
  CHECK(rank(0.9999999999999999) < 1000);
}

TEST_CASE("the shares of the scrambled zipfian are YCSB's") {
  const ScrambledZipfian zipfian(0, 1000);  // of 1000 records; the last number is not drawn
  Generator random(1, 0);
  std::vector<int> hits(1001);
  int kept = 0;
  while (kept < 20'000'000) {
    const std::uint64_t number = zipfian.number(random.unit());
    ++hits.at(number);
    kept += number < 1000;
  }
  const std::pair<std::size_t, double> wanted[] = {
      {144, 0.03861}, {610, 0.01995}, {213, 0.01603}, {679, 0.01166}, {10, 0.00934},
      {545, 0.00778}, {942, 0.00659}, {476, 0.00584}, {436, 0.00534}, {902, 0.00493}};
  for (const auto& [number, share] : wanted)
    CHECK(hits[number] / 20e6 == doctest::Approx(share).epsilon(0.01));
}

TEST_CASE("ranges of one and two") {
  CHECK(Zipfian(1).rank(0.999) == 0);
  CHECK(Zipfian(2).rank(0.999) == 1);
  CHECK(ScrambledZipfian(7, 7).number(0.5) == 7);
}

}  // namespace
