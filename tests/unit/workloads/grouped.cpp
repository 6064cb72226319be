#include "workloads/api/grouped.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace {

using workloads::api::grouped;

TEST_CASE("numbers in groups of three") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(grouped(1234567) == "1,234,567");
  CHECK(grouped(std::numeric_limits<std::uint64_t>::max()) == "18,446,744,073,709,551,615");
}

}  // namespace
