#include "workloads/random/unique_sequence.hpp"

#include <doctest/doctest.h>

#include <set>
#include <vector>

using workloads::random::UniqueSequence;

TEST_CASE("sysbench's sequence, from the keys that its C library yields without a seed") {
  const UniqueSequence sequence(424238335, 1957747793);
  const std::vector<std::int64_t> expected{525449452,  768762026,  686807774,
                                           1939437108, -301389664, 448502993};
  for (std::uint32_t n = 0; n < expected.size(); ++n)
    CHECK(static_cast<std::int64_t>(sequence.at(n)) - 2147483648 == expected[n]);
}

TEST_CASE("no number comes twice, also where the counter wraps") {
  const UniqueSequence sequence(1, 2);
  std::set<std::uint32_t> seen;
  constexpr std::uint32_t kEach = 50'000;
  for (std::uint32_t n = 0; n < kEach; ++n) {
    seen.insert(sequence.at(n));
    seen.insert(sequence.at(0U - 1 - n));
  }
  CHECK(seen.size() == 2 * kEach);
}
