#include "src/engine/timeline.hpp"

#include <doctest/doctest.h>

using namespace std::chrono_literals;
using pgload::engine::IntervalBlock;
using pgload::engine::Timeline;

namespace {

std::unique_ptr<IntervalBlock> block(std::int64_t second, std::uint64_t completed) {
  auto made = std::make_unique<IntervalBlock>(1);
  made->reset(second);
  made->completed = completed;
  for (std::uint64_t i = 0; i < completed; ++i) made->kinds[0].service.record(1ms);
  return made;
}

}  // namespace

TEST_CASE("a second is final when every worker has left it") {
  Timeline timeline(2);
  timeline.add(0, block(0, 3));
  timeline.add(0, block(1, 4));
  CHECK(timeline.take_final().empty());
  timeline.add(1, block(0, 5));
  const auto first = timeline.take_final();
  REQUIRE(first.size() == 1);
  CHECK(first[0].completed == 8);
  CHECK(first[0].service().count() == 8);
  timeline.worker_ended(1);
  const auto second = timeline.take_final();
  REQUIRE(second.size() == 1);
  CHECK(second[0].completed == 4);
}

TEST_CASE("a block shrinks to a few numbers, the drain is an interval of its own") {
  const auto last = Timeline::summarise(*block(2, 1));
  CHECK(last.start_s == 2);
  CHECK(*last.p50_us == doctest::Approx(1000).epsilon(0.001));
  const auto drain = Timeline::summarise(*block(IntervalBlock::kDrain, 0));
  CHECK(drain.drain);
  CHECK_FALSE(drain.p50_us.has_value());
}
