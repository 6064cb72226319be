#include "src/cli/profile_syntax.hpp"

#include <doctest/doctest.h>

#include <string>

#include "src/cli/quantities.hpp"

using doctest::Approx;
using pgload::cli::parse_profile;
using pgload::cli::QuantityError;
using pgload::engine::LoadProfile;

namespace {

LoadProfile parse(std::string_view text) { return parse_profile(text, "rate", 1e12); }

std::string refusal(std::string_view text) {
  try {
    parse(text);
  } catch (const QuantityError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a number alone is a constant") {
  CHECK(parse("5000").constant());
  CHECK(parse("5000").level(0) == 5000);
  CHECK(parse("2.5k").level(0) == 2500);
  CHECK(parse("1e-9").level(0) == 1e-9);
  CHECK(parse("1e12").level(0) == 1e12);
}

TEST_CASE("ramps, holds and steps follow each other") {
  const LoadProfile profile = parse("ramp 0..20000 over 60s, hold 5m, step 1000 every 30s to 50000");
  CHECK(profile.length_s() == 60 + 300 + 30 * 30);
  CHECK(profile.level(30) == Approx(10'000));
  CHECK(profile.level(359) == 20'000);
  CHECK(profile.level(361) == 21'000);
  CHECK(profile.level(391) == 22'000);
  CHECK(profile.level(1e6) == 50'000);

  const LoadProfile down = parse("1k for 10s,ramp to 500 over 1m30s,step 200 every 1s to 0");
  CHECK(down.length_s() == 103);
  CHECK(down.level(55) == Approx(750));
  CHECK(down.level(100.5) == 300);
  CHECK(down.level(101.5) == 100);
  CHECK(down.level(102.5) == 0);
}

TEST_CASE("what is no profile is refused with what is wanted") {
  for (const char* text : {"",
                           "x",
                           "5000x",
                           "nan",
                           "inf",
                           "ramp",
                           "ramp 0..5",
                           "ramp 0-5 over 10s",
                           "hold",
                           "hold 5m",
                           "step 5 every 1s to 50",
                           "ramp to 5 over 3s",
                           "5 for 0s",
                           "5 for 10q",
                           "ramp 0..5 over 10s,,hold 5s",
                           "ramp 0..5 over 10s,",
                           ",5 for 3s",
                           "-5",
                           "1e13",
                           "1 for 1s, step 0 every 1s to 5",
                           "1 for 1s, step 1 every 1s to 1G"}) {
    CAPTURE(text);
    CHECK_FALSE(refusal(text).empty());
  }
  CHECK(refusal("hold 5m") == "'hold 5m' goes on from a level, but nothing stands before it");
  CHECK(refusal("ramp 0..5 over 10s,,hold 5s") == "nothing stands between two commas (or at an end)");
}
