#include "workloads/ycsb/key_chooser.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace {

using namespace workloads::ycsb;
using workloads::random::Generator;

constexpr int kDraws = 200'000;

/// How often each key of a thousand is drawn.
std::vector<int> hits(KeyRange range, InsertCounter& inserts) {
  KeyChooser chooser(range, inserts);
  Generator random(5, 0);
  std::vector<int> count(2000);
  for (int i = 0; i < kDraws; ++i) ++count.at(chooser.draw(random));
  return count;
}

double share(int count) { return static_cast<double>(count) / kDraws; }

TEST_CASE("uniform keys stay in this client's part") {
  InsertCounter inserts(1000);
  const auto count = hits({.first = 100, .count = 300}, inserts);
  CHECK(count[99] == 0);
  CHECK(count[400] == 0);
  CHECK(share(count[100]) == doctest::Approx(1.0 / 300).epsilon(0.2));
  CHECK(share(count[399]) == doctest::Approx(1.0 / 300).epsilon(0.2));
}

TEST_CASE("the latest keys are read most, key 0 never") {
  InsertCounter inserts(1000);
  const auto count = hits({.distribution = RequestDistribution::latest}, inserts);
  CHECK(share(count[999]) == doctest::Approx(0.129402).epsilon(0.03));
  CHECK(share(count[998]) == doctest::Approx(0.0652).epsilon(0.03));
  CHECK(share(count[997]) == doctest::Approx(0.0511).epsilon(0.03));
  CHECK(count[0] == 0);
}

TEST_CASE("the latest keys follow the inserts; what failed is never read") {
  InsertCounter inserts(1000);
  KeyChooser chooser({.distribution = RequestDistribution::latest}, inserts);
  for (int i = 0; i < 10; ++i) inserts.confirm(inserts.next());
  inserts.give_up(inserts.next());
  Generator random(5, 0);
  int newest = 0;
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t key = chooser.draw(random);
    REQUIRE(key <= 1009);
    newest += key == 1009;
  }
  CHECK(newest > 500);
}

TEST_CASE("hot keys get their share") {
  InsertCounter inserts(1000);
  const auto count = hits({.distribution = RequestDistribution::hotspot}, inserts);
  int hot = 0;
  for (int i = 0; i < 200; ++i) hot += count[static_cast<std::size_t>(i)];
  CHECK(share(hot) == doctest::Approx(0.8).epsilon(0.01));
}

TEST_CASE("exponential keys: most of the operations on the newest") {
  InsertCounter inserts(1000);
  const auto count = hits({.distribution = RequestDistribution::exponential}, inserts);
  double distance = 0;
  for (int i = 0; i < 1000; ++i) distance += (999 - i) * share(count[static_cast<std::size_t>(i)]);
  // The mean of 286.12 is that of the whole tail; what lies beyond key 0 is drawn again.
  CHECK(distance > 220);
  CHECK(distance < 286);
}

TEST_CASE("keys in sequence go round") {
  InsertCounter inserts(1000);
  KeyChooser chooser({.distribution = RequestDistribution::sequential, .first = 10, .count = 3}, inserts);
  Generator random(1, 0);
  for (const std::uint64_t wanted : {10, 11, 12, 10, 11}) {
    const std::uint64_t key = chooser.draw(random);
    CHECK(key == wanted);
  }
}

TEST_CASE("zipfian keys that are not there yet are drawn again") {
  InsertCounter inserts(1000);
  const auto count = hits({.distribution = RequestDistribution::zipfian, .expected_inserts = 500}, inserts);
  for (std::size_t i = 1000; i < count.size(); ++i) REQUIRE(count[i] == 0);
}

}  // namespace
