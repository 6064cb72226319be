#include "workloads/random/distribution.hpp"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "workloads/random/generator.hpp"

using namespace workloads::random;
using Type = DistributionSpec::Type;

namespace {

/// sysbench's own generator, xoroshiro128+, in the state that it has for seed 42 and one thread: what its
/// formulas yield can be compared number by number.
class SysbenchSource {
 public:
  double unit() {
    const std::uint64_t sum = s0_ + s1_;
    const std::uint64_t mixed = s1_ ^ s0_;
    s0_ = std::rotl(s0_, 55) ^ mixed ^ (mixed << 14);
    s1_ = std::rotl(mixed, 36);
    return static_cast<double>(sum >> 12) * 0x1.0p-52;
  }
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(unit() * static_cast<double>(high - low + 1));
  }
  void skip(int draws) {
    while (draws-- > 0) (void)unit();
  }

 private:
  std::uint64_t s0_ = 0x0448be462a3c4464;
  std::uint64_t s1_ = 0x5866c03136140b29;
};

DistributionSpec of(Type type) {
  DistributionSpec spec;
  spec.type = type;
  return spec;
}

DistributionSpec zipfian(double exponent) {
  DistributionSpec spec = of(Type::zipfian);
  spec.zipfian_exponent = exponent;
  return spec;
}

/// Ids of oltp_point_select over 1..1000: before each a draw for the table, behind it one for the latency
/// histogram, before the first one `names` for names of prepared statements.
std::vector<std::int64_t> sysbench_ids(const DistributionSpec& spec, int names) {
  const Distribution ids(spec, 1, 1000);
  SysbenchSource source;
  source.skip(names);
  std::vector<std::int64_t> drawn;
  for (int i = 0; i < 8; ++i) {
    source.skip(1);
    drawn.push_back(ids.draw(source));
    source.skip(1);
  }
  return drawn;
}

using Ids = std::vector<std::int64_t>;

/// Draws, sorts into cells by `cell`, and compares with the probabilities: deviations of Pearson's statistic
/// from its mean.
double deviations(const Distribution& distribution, const std::vector<double>& probabilities,
                  const std::function<std::size_t(std::int64_t)>& cell, int draws = 200'000) {
  Generator generator(42, 0);
  std::vector<std::uint64_t> counts(probabilities.size());
  for (int i = 0; i < draws; ++i) ++counts.at(cell(distribution.draw(generator)));
  double statistic = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double expected = probabilities[i] * draws;
    REQUIRE(expected >= 5);
    statistic += std::pow(static_cast<double>(counts[i]) - expected, 2) / expected;
  }
  const auto freedom = static_cast<double>(counts.size() - 1);
  return (statistic - freedom) / std::sqrt(2 * freedom);
}

/// Cells that split [low, high] into equal parts, against the distribution function `below` of x in 0..1.
double deviations_by_share(const DistributionSpec& spec, std::int64_t low, std::int64_t high,
                           const std::function<double(double)>& below, std::size_t cells = 20) {
  std::vector<double> probabilities;
  for (std::size_t i = 0; i < cells; ++i) {
    const auto share = [&](std::size_t n) { return static_cast<double>(n) / static_cast<double>(cells); };
    probabilities.push_back(below(share(i + 1)) - below(share(i)));
  }
  const auto width = static_cast<long double>(high) - static_cast<long double>(low) + 1;
  return deviations(Distribution(spec, low, high), probabilities, [&](std::int64_t value) {
    REQUIRE(value >= low);
    REQUIRE(value <= high);
    const auto offset = static_cast<long double>(value) - static_cast<long double>(low);
    return static_cast<std::size_t>(offset * static_cast<long double>(cells) / width);
  });
}

const std::array<std::pair<std::int64_t, std::int64_t>, 5> kRanges{
    {{1, 10'000},
     {-500, 499'499},
     {1, 5'000'000'000},
     {1, 1'000'000'000'000'000},
     {1, std::numeric_limits<std::int64_t>::max()}}};

}  // namespace

TEST_CASE("the formulas yield sysbench's own numbers from sysbench's own draws") {
  CHECK(sysbench_ids(of(Type::uniform), 0) == Ids{704, 265, 607, 354, 656, 40, 499, 586});
  CHECK(sysbench_ids(of(Type::uniform), 2) == Ids{612, 844, 381, 799, 625, 717, 659, 319});
  CHECK(sysbench_ids(of(Type::pareto), 2) == Ids{29, 292, 1, 199, 34, 91, 50, 1});
  CHECK(sysbench_ids(of(Type::zipfian), 2) == Ids{40, 5, 173, 8, 36, 17, 28, 241});
  CHECK(sysbench_ids(of(Type::special), 2) == Ids{502, 504, 499, 504, 502, 503, 502, 499});
  CHECK(sysbench_ids(of(Type::gaussian), 2) == Ids{632, 438, 419, 511, 430, 290, 476, 712});
}

TEST_CASE("the zipfian sampler's constants") {
  const auto check = [](double exponent, double s, double x1) {
    const Distribution distribution(zipfian(exponent), 1, 1000);
    CHECK(distribution.zipf_s() == doctest::Approx(s).epsilon(1e-9));
    CHECK(distribution.zipf_x1() == doctest::Approx(x1).epsilon(1e-9));
  };
  check(0.8, 0.4876297007, -0.5776411440);
  check(0.99, 0.4838766983, -0.5937117700);
  check(1, 0.4836733507, -0.5945348919);
  check(1 + 1e-12, 0.4836733507, -0.5945348919);
}

TEST_CASE("uniform over ranges of all sizes") {
  for (const auto& [low, high] : kRanges) {
    CAPTURE(high);
    CHECK(std::abs(deviations_by_share(of(Type::uniform), low, high, [](double x) { return x; })) < 4);
  }
}

TEST_CASE("pareto: the share h of the range gets 1-h of the draws, at any size") {
  for (const double h : {0.2, 0.4}) {
    DistributionSpec spec = of(Type::pareto);
    spec.pareto_h = h;
    const double power = std::log(h) / std::log(1 - h);
    for (const auto& [low, high] : kRanges) {
      CAPTURE(high);
      CHECK(std::abs(deviations_by_share(spec, low, high, [&](double x) { return std::pow(x, 1 / power); })) <
            4);
    }
  }
  // The shares that sysbench's manual promises for 0.2.
  const Distribution ids(of(Type::pareto), 1, 10'000);
  const std::vector<double> shares{0.278877, 0.528088 - 0.278877, 0.64 - 0.528088, 0.8 - 0.64, 0.2};
  CHECK(std::abs(deviations(ids, shares, [](std::int64_t id) -> std::size_t {
          return id == 1 ? 0 : id <= 100 ? 1 : id <= 400 ? 2 : id <= 2000 ? 3 : 4;
        })) < 4);
}

TEST_CASE("gaussian: a bell of 12 uniforms around the middle, not the low end") {
  // Against a sum of 12 uniforms by the Irwin-Hall distribution function.
  const auto irwin_hall = [](double x) {
    double sum = 0, choose = 1, factorial = 479001600;
    for (int k = 0; k <= static_cast<int>(12 * x); ++k) {
      sum += (k % 2 ? -1 : 1) * choose * std::pow(12 * x - k, 12);
      choose = choose * (12 - k) / (k + 1);
    }
    return x <= 0 ? 0 : x >= 1 ? 1 : sum / factorial;
  };
  for (const auto& [low, high] : kRanges) {
    CAPTURE(high);
    // The outermost tenths of the range are too rare for cells of their own.
    const std::vector<double> edges{0, 0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 1};
    std::vector<double> probabilities;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i)
      probabilities.push_back(irwin_hall(edges[i + 1]) - irwin_hall(edges[i]));
    const auto base = static_cast<long double>(low);
    const auto width = static_cast<long double>(high) - base + 1;
    CHECK(
        std::abs(deviations(Distribution(of(Type::gaussian), low, high), probabilities, [&](std::int64_t id) {
          const auto share = static_cast<double>((static_cast<long double>(id) - base) / width);
          return static_cast<std::size_t>(std::ranges::upper_bound(edges, share) - edges.begin()) - 1;
        })) < 4);
  }
}

TEST_CASE("special: three quarters of the draws go to the top of the hot window") {
  for (const auto& [n, first, last] : {std::tuple<std::int64_t, std::int64_t, std::int64_t>{1000, 498, 506},
                                       {10'000, 4975, 5051},
                                       {1'000'000, 497'500, 505'001}}) {
    CAPTURE(n);
    const Distribution ids(of(Type::special), 1, n);
    Generator generator(7, 0);
    int hot = 0;
    constexpr int kDraws = 100'000;
    for (int i = 0; i < kDraws; ++i) {
      const auto id = ids.draw(generator);
      hot += id >= first && id <= last;
    }
    // The bell over the range adds its share of the window: at most 9 ids of 1000 at 0.48 % each.
    const double share = static_cast<double>(hot) / kDraws;
    CHECK(share > 0.745);
    CHECK(share < 0.77);
  }
  // Over 2^62 ids the window is the same share of the range: 0.4975 + 0.01 x u for u in 0.25..1.
  const std::int64_t high = std::int64_t{1} << 62;
  const Distribution wide(of(Type::special), 1, high);
  Generator generator(8, 0);
  std::array<int, 2> cells{};
  for (int i = 0; i < 100'000; ++i) {
    const double share = static_cast<double>(wide.draw(generator)) / static_cast<double>(high);
    cells[share >= 0.4975 && share <= 0.505] += 1;
  }
  CHECK(cells[1] > 74'000);
  CHECK(cells[1] < 77'500);
}

TEST_CASE("zipfian: each of a thousand keys by its probability") {
  for (const auto& [exponent, first] :
       {std::pair{0.8, 0.064642}, {0.99, 0.129384}, {1.0, 0.133592}, {0.0, 0.001}, {1.5, 0.0}}) {
    CAPTURE(exponent);
    double sum = 0;
    for (int k = 1; k <= 1000; ++k) sum += std::pow(k, -exponent);
    if (first > 0) CHECK(1 / sum == doctest::Approx(first).epsilon(1e-5));
    // Single keys where they are frequent, then all the rest together.
    std::vector<double> probabilities;
    for (int k = 1; k <= 100; ++k) probabilities.push_back(std::pow(k, -exponent) / sum);
    double rest = 1;
    for (const double p : probabilities) rest -= p;
    probabilities.push_back(rest);
    const Distribution ids(zipfian(exponent), 1, 1000);
    CHECK(std::abs(deviations(ids, probabilities, [](std::int64_t id) {
            return static_cast<std::size_t>(std::min<std::int64_t>(id, 101) - 1);
          })) < 4);
  }
}

TEST_CASE("zipfian over ranges beyond 2^32, without a table") {
  for (const auto& [low, high] : kRanges) {
    CAPTURE(high);
    const double n = static_cast<double>(high) - static_cast<double>(low) + 1;
    // Sum of k^-0.8 by Euler and Maclaurin, exact to far below what 200,000 draws can show.
    const auto harmonic = [](double k) {
      double sum = 0;
      for (int i = 1; i <= 10; ++i) sum += std::pow(i, -0.8);
      const auto integral = [](double x) { return 5 * std::pow(x, 0.2); };
      return sum + integral(k) - integral(10) + (std::pow(k, -0.8) - std::pow(10, -0.8)) / 2 +
             (std::pow(10, -1.8) - std::pow(k, -1.8)) * 0.8 / 12;
    };
    std::vector<double> edges;  // shares of the probability near tenths
    std::vector<double> probabilities;
    double before = 0;
    for (int i = 1; i <= 10; ++i) {
      const double edge = i == 10 ? n : std::floor(n * std::pow(i / 10.0, 5));
      if (edge < 20) continue;
      edges.push_back(edge);
      probabilities.push_back((harmonic(edge) - before) / harmonic(n));
      before = harmonic(edge);
    }
    const Distribution ids(zipfian(0.8), low, high);
    CHECK(std::abs(deviations(ids, probabilities, [&](std::int64_t id) {
            const double k = static_cast<double>(id) - static_cast<double>(low) + 1;
            return static_cast<std::size_t>(std::ranges::lower_bound(edges, k) - edges.begin());
          })) < 4);
  }
}

TEST_CASE("every type stays inside its range, at its smallest and its largest") {
  constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
  constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
  // One value at first, the middle ever after: a sampler that rejects has to get something else.
  struct Extreme {
    double unit_value;
    double unit() { return std::exchange(unit_value, unit_value < 0.5 ? 0.75 : 0.25); }
    std::int64_t between(std::int64_t low, std::int64_t high) const { return unit_value > 0.5 ? high : low; }
  };
  for (const auto type : {Type::uniform, Type::gaussian, Type::special, Type::pareto, Type::zipfian}) {
    for (const auto& [low, high] :
         {std::pair{kMin, kMax}, {kMin, kMin}, {kMax, kMax}, {kMax - 1, kMax}, {-1L, 1L}, {0L, 0L}}) {
      const Distribution distribution(of(type), low, high);
      for (const double unit : {0.0, 0x1.0p-53, 0.5, 1 - 0x1.0p-53}) {
        Extreme source{unit};
        const auto value = distribution.draw(source);
        CHECK(value >= low);
        CHECK(value <= high);
      }
    }
  }
}
