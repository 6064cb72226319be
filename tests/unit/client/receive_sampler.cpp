#include "proto_pg/client/receive_sampler.hpp"

#include <doctest/doctest.h>

#include <set>
#include <vector>

using proto_pg::client::ReceiveSampler;
using namespace std::chrono_literals;

namespace {

void ignore(void*, std::chrono::nanoseconds, std::uint32_t) {}

/// A sampler in the midst of a run: rounds follow each other without a silence.
ReceiveSampler busy_sampler(std::uint32_t one_in) {
  ReceiveSampler sampler;
  sampler.start(one_in, nullptr, ignore);
  sampler.begin_round(ReceiveSampler::Clock::time_point(1h));
  sampler.begin_round(ReceiveSampler::Clock::time_point(1h + 100us));
  return sampler;
}

}  // namespace

TEST_CASE("off until it is started") {
  ReceiveSampler sampler;
  CHECK_FALSE(sampler.on());
  sampler.start(16, nullptr, ignore);
  CHECK(sampler.on());
}

TEST_CASE("one reply in N is chosen, stands for N, and not in a rhythm") {
  ReceiveSampler sampler = busy_sampler(16);
  std::uint64_t chosen = 0, stood_for = 0;
  std::set<int> distances;
  int distance = 0;
  for (int i = 0; i < 1'600'000; ++i) {
    ++distance;
    const std::uint32_t weight = sampler.choose();
    if (weight == 0) continue;
    ++chosen;
    stood_for += weight;
    distances.insert(distance);
    distance = 0;
  }
  CHECK(chosen == doctest::Approx(100'000).epsilon(0.02));
  CHECK(stood_for == 16 * chosen);
  CHECK(*distances.begin() == 1);
  CHECK(*distances.rbegin() == 31);
  CHECK(distances.size() == 31);
}

TEST_CASE("one in one is all") {
  ReceiveSampler sampler = busy_sampler(1);
  for (int i = 0; i < 100; ++i) CHECK(sampler.choose() == 1);
}

TEST_CASE("after a silence every reply of the round is chosen, and stands for itself") {
  ReceiveSampler sampler = busy_sampler(1'000'000);
  sampler.choose();  // the first
  sampler.begin_round(ReceiveSampler::Clock::time_point(1h + 2ms));
  for (int i = 0; i < 100; ++i) CHECK(sampler.choose() == 1);
  sampler.begin_round(ReceiveSampler::Clock::time_point(1h + 2ms + 900us));
  for (int i = 0; i < 100; ++i) CHECK(sampler.choose() == 0);
}

TEST_CASE("what was handled goes to the user") {
  struct Seen {
    std::chrono::nanoseconds received{0};
    std::uint32_t weight = 0;
  } seen;
  ReceiveSampler sampler;
  sampler.start(16, &seen, [](void* object, std::chrono::nanoseconds received, std::uint32_t weight) {
    *static_cast<Seen*>(object) = {received, weight};
  });
  sampler.handled(5ns, 16);
  CHECK(seen.received == 5ns);
  CHECK(seen.weight == 16);
}
