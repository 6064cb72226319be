#include "src/stats/wall_clock.hpp"

#include <doctest/doctest.h>

namespace {

using namespace pgload::stats;
using namespace std::chrono_literals;

TEST_CASE("a time comes back from its text") {
  const WallTime time(1'738'324'800'123'456us);
  CHECK(utc_text(time) == "2025-01-31T12:00:00.123456Z");
  CHECK(parse_utc(utc_text(time)) == time);
  CHECK(utc_text(WallTime(0us)) == "1970-01-01T00:00:00.000000Z");
}

TEST_CASE("fewer decimals are taken as well") {
  CHECK(parse_utc("2025-01-31T12:00:00Z") == WallTime(1'738'324'800s));
  CHECK(parse_utc("2025-01-31T12:00:00.5Z") == WallTime(1'738'324'800'500ms));
  CHECK(parse_utc("2025-01-31T12:00:00.123456789Z") == WallTime(1'738'324'800'123'456us));
}

TEST_CASE("other texts are no time") {
  for (const char* text :
       {"", "Z", "yesterday", "2025-01-31 12:00:00Z", "2025-01-31T12:00:00", "2025-02-30T12:00:00Z",
        "2025-01-31T24:00:00Z", "2025-01-31T12:00:00.Z", "2025-01-31T12:00:00.1x3Z", "2025-1-31T12:00:00Z",
        "2025-01-31T12:00:00+01:00", "2025-01-31T-1:00:00Z", "2025-01-31T12:00:00.1234567890Z"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_utc(text));
  }
}

}  // namespace
