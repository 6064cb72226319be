#include "src/engine/admission.hpp"

#include <doctest/doctest.h>

using namespace std::chrono_literals;
using pgload::engine::Admission;
using pgload::engine::ArrivalKind;
using pgload::engine::ArrivalSchedule;
using pgload::engine::Clock;
using pgload::engine::LoadProfile;

TEST_CASE("nothing starts at or after the end, which can be moved earlier") {
  const Clock::time_point now = Clock::now();
  Admission admission;
  CHECK(admission.take(now, 1) == 1);
  admission.end_at(now + 1h);
  CHECK(admission.take(now, 1) == 1);
  CHECK_FALSE(admission.over(now));
  admission.end_at(now);
  CHECK(admission.take(now, 1) == 0);
  CHECK(admission.over(now));
}

TEST_CASE("a limit admits exactly that many, and not those of the warm-up") {
  const Clock::time_point now = Clock::now();
  Admission warming_up;
  warming_up.limit(3, now + 1h);
  for (int i = 0; i < 10; ++i) CHECK(warming_up.take(now, 1) == 1);

  Admission admission;
  admission.limit(3, now);
  for (int i = 0; i < 3; ++i) CHECK(admission.take(now, 1) == 1);
  CHECK(admission.over(now));
  CHECK(admission.take(now, 1) == 0);
}

TEST_CASE("a batch gets what is left") {
  const Clock::time_point now = Clock::now();
  Admission admission;
  CHECK(admission.take(now, 8) == 8);
  admission.limit(10, now);
  CHECK(admission.take(now, 8) == 8);
  CHECK(admission.take(now, 8) == 2);
  CHECK(admission.take(now, 8) == 0);
}

TEST_CASE("a limit beyond what can be counted down is no limit") {
  const Clock::time_point now = Clock::now();
  Admission admission;
  admission.limit(std::numeric_limits<std::uint64_t>::max(), now);
  CHECK(admission.take(now, 1) == 1);
  CHECK_FALSE(admission.over(now));
}

TEST_CASE("arrivals are claimed in order, and skipped ones by nobody") {
  const Clock::time_point now = Clock::now();
  Admission admission;
  CHECK(admission.arrivals() == nullptr);
  admission.plan({ArrivalSchedule(LoadProfile(100), ArrivalKind::uniform, 1), now, 5}, 20);
  CHECK(admission.end_arrival() == 25);
  CHECK(admission.take_arrival() == 0);
  CHECK(admission.take_arrival() == 1);
  CHECK(admission.skip_to(10) == 2);
  CHECK(admission.take_arrival() == 10);
  CHECK(admission.skip_to(7) == 7);  // they are gone already
  CHECK(admission.next_arrival() == 11);
  CHECK_FALSE(admission.over(now));
  CHECK(admission.skip_to(25) == 11);
  CHECK(admission.over(now));
  CHECK_FALSE(admission.nothing_starts(now));  // what is claimed does
  admission.take_arrival();
  CHECK(admission.next_arrival() == 25);
}
