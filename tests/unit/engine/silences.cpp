#include "src/engine/silences.hpp"

#include <doctest/doctest.h>

using namespace std::chrono_literals;
using pgload::engine::Silences;

namespace {

Silences ended_at(std::initializer_list<std::chrono::milliseconds> ends) {
  Silences silences;
  const Silences::Clock::time_point start{};
  silences.begin(start);
  for (const auto end : ends) silences.note(start + end);
  return silences;
}

}  // namespace

TEST_CASE("the longest silence, the beginning's and the end's too") {
  CHECK(ended_at({1ms, 2ms, 5ms, 6ms}).longest() == 3ms);
  CHECK(ended_at({7ms, 8ms}).longest() == 7ms);
  CHECK(ended_at({}).longest() == 0ms);
}

TEST_CASE("a silence of all is what the silences of each have in common") {
  const Silences one = ended_at({1ms, 2ms, 100ms, 101ms, 200ms});
  const Silences two = ended_at({10ms, 60ms, 61ms, 150ms, 160ms, 190ms});
  CHECK(one.common_with(two).longest() == 50ms);  // 10..60
  CHECK(two.common_with(one).longest() == 50ms);
  const Silences three = ended_at({1ms, 20ms, 30ms, 50ms, 61ms, 150ms, 160ms, 190ms});
  CHECK(one.common_with(two).common_with(three).longest() == 49ms);  // 101..150
}

TEST_CASE("of very many silences the longest are kept") {
  Silences silences;
  Silences::Clock::time_point now{};
  silences.begin(now);
  for (int i = 1; i < 1000; ++i) {
    now += std::chrono::milliseconds(i % 500);
    silences.note(now);
  }
  CHECK(silences.longest() == 499ms);
}
