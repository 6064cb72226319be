#include "src/engine/admission.hpp"

#include <doctest/doctest.h>

using namespace std::chrono_literals;
using pgload::engine::Admission;
using pgload::engine::Clock;

TEST_CASE("nothing starts at or after the end, which can be moved earlier") {
  Admission admission;
  CHECK(admission.claim());
  admission.end_at(Clock::now() + 1h);
  CHECK(admission.claim());
  CHECK_FALSE(admission.over(Clock::now()));
  admission.end_at(Clock::now());
  CHECK_FALSE(admission.claim());
  CHECK(admission.over(Clock::now()));
}

TEST_CASE("a limit admits exactly that many, and not those of the warm-up") {
  Admission warming_up;
  warming_up.limit(3, Clock::now() + 1h);
  for (int i = 0; i < 10; ++i) CHECK(warming_up.claim());

  Admission admission;
  admission.limit(3, Clock::now() - 1s);
  for (int i = 0; i < 3; ++i) CHECK(admission.claim());
  CHECK(admission.over(Clock::now()));
  CHECK_FALSE(admission.claim());
}

TEST_CASE("a batch gets what is left, of one arrival") {
  Admission admission;
  CHECK(admission.claim(8).count == 8);
  admission.limit(10, Clock::now() - 1s);
  CHECK(admission.claim(8).count == 8);
  const Admission::Claim rest = admission.claim(8);
  CHECK(rest.count == 2);
  CHECK(rest.arrival <= Clock::now());
  CHECK(admission.claim(8).count == 0);
}

TEST_CASE("a limit beyond what can be counted down is no limit") {
  Admission admission;
  admission.limit(std::numeric_limits<std::uint64_t>::max(), Clock::now() - 1s);
  CHECK(admission.claim());
  CHECK_FALSE(admission.over(Clock::now()));
}
