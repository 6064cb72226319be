#include "src/engine/load_profile.hpp"

#include <doctest/doctest.h>

#include <cmath>

using doctest::Approx;
using pgload::engine::LoadProfile;

TEST_CASE("a constant is the same at every time") {
  const LoadProfile profile(500);
  CHECK(profile.constant());
  CHECK(profile.length_s() == 0);
  CHECK(profile.level(1e6) == 500);
  CHECK(profile.area(10) == 5000);
  CHECK(profile.time_of_area(5000) == Approx(10));
  CHECK(profile.time_of_area(0) == 0);
  CHECK(profile.time_of_level(500, 3) == 3);
  CHECK(std::isinf(profile.time_of_level(501, 3)));
  CHECK(std::isinf(LoadProfile(0).time_of_area(1)));
}

TEST_CASE("a ramp, a level and a step add up") {
  const LoadProfile profile({{60, 0, 20'000}, {300, 20'000, 20'000}, {30, 21'000, 21'000}});
  CHECK(profile.length_s() == 390);
  CHECK(profile.highest_level() == 21'000);
  CHECK(profile.level(30) == Approx(10'000));
  CHECK(profile.level(60) == 20'000);
  CHECK(profile.level(359.9) == 20'000);
  CHECK(profile.level(1000) == 21'000);
  CHECK(profile.area(60) == Approx(600'000));
  CHECK(profile.area(390) == Approx(600'000 + 6'000'000 + 630'000));
  CHECK(profile.area(391) == Approx(7'251'000));
}

TEST_CASE("the inverse of the area is its inverse, also on the way down and through silence") {
  const LoadProfile profile({{10, 0, 100}, {10, 100, 0}, {5, 0, 0}, {1, 50, 50}, {4, 1e-9, 2e-9}});
  for (double t = 0.25; t < 20; t += 0.25) CHECK(profile.time_of_area(profile.area(t)) == Approx(t));
  CHECK(profile.time_of_area(1000) == Approx(20));  // the earliest: not after the silence
  CHECK(profile.time_of_area(1025) == Approx(25.5));
  CHECK(profile.time_of_area(1050 + 1e-9) > 26);
}

TEST_CASE("a level is found when it is reached, from any time on") {
  const LoadProfile profile({{10, 0, 10}, {10, 10, 0}, {10, 0, 0}, {10, 8, 8}});
  CHECK(profile.time_of_level(5, 0) == Approx(5));
  CHECK(profile.time_of_level(5, 12) == 12);          // still above
  CHECK(profile.time_of_level(5, 16) == Approx(30));  // again
  CHECK(std::isinf(profile.time_of_level(9, 12)));
}

TEST_CASE("a delay holds the first level, a factor scales every level") {
  const LoadProfile delayed = LoadProfile({{10, 100, 200}}).delayed(5);
  CHECK(delayed.level(3) == 100);
  CHECK(delayed.level(15) == Approx(200));
  CHECK(delayed.area(5) == Approx(500));
  CHECK(LoadProfile({{10, 100, 200}}).scaled(0.5).level(10) == Approx(100));
  CHECK(LoadProfile(100).scaled(0.25).level(0) == 25);
  CHECK(LoadProfile(100).delayed(5).area(1) == 100);
}
