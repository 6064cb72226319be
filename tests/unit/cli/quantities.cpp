#include "src/cli/quantities.hpp"

#include <doctest/doctest.h>

#include <clocale>
#include <cstdint>
#include <string>

using namespace pgload::cli;
using namespace std::chrono_literals;

TEST_CASE("durations") {
  CHECK(parse_duration("500ms") == 500ms);
  CHECK(parse_duration("1m30s") == 90s);
  CHECK(parse_duration("10") == 10s);
  CHECK(parse_duration("2h") == 2h);
  CHECK(parse_duration("1.5s") == 1500ms);
  CHECK(parse_duration("0.25") == 250ms);
  CHECK(parse_duration("0m0.5s") == 500ms);
  CHECK(parse_duration("1d2h3m4s5ms6us") == 24h + 2h + 3min + 4s + 5ms + 6us);
  CHECK(parse_duration("0") == 0s);
  CHECK(parse_duration("0s") == 0s);
  CHECK(parse_duration(".5s") == 500ms);
}

TEST_CASE("what is no duration is refused with a sentence") {
  for (const char* text : {"10q",      "",      " ",    "abc",  "s",    "-1s",   "-1",
                           "+1",       "1m30",  "1s1m", "1s1s", "10 s", " 10",   "10s ",
                           "1e3s",     "1e3",   "inf",  "nan",  "0x10", "1..5s", "1,5s",
                           "10ss",     "10S",   ".",    "ms",   "1s,",  "--10",  "99999999999999999999h",
                           "101d365d", "36501d"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_duration(text), QuantityError);
  }
  CHECK_THROWS_WITH(parse_duration("10q"), "a duration is wanted, such as 500ms, 1m30s, 2h or 10 (seconds)");
}

TEST_CASE("counts") {
  constexpr auto most = UINT64_MAX;
  CHECK(parse_count("20k", 0, most) == 20'000);
  CHECK(parse_count("1M", 0, most) == 1'000'000);
  CHECK(parse_count("5000000000", 0, most) == 5'000'000'000);
  CHECK(parse_count("3G", 0, most) == 3'000'000'000);
  CHECK(parse_count("18446744073709551615", 0, most) == most);
  CHECK(parse_count("0", 0, 5) == 0);
  CHECK(parse_count("5", 1, 5) == 5);
}

TEST_CASE("what is no count, or out of range, is refused") {
  for (const char* text : {"", "k", "1x", "1.5", "1.5k", "-1", "+1", " 1", "1 ", "10kk", "1e3", "0x10", "one",
                           "99999999999999999999", "18446744073709551616", "18446744073709551615k", "1T"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_count(text, 0, UINT64_MAX), QuantityError);
  }
  CHECK_THROWS_AS(parse_count("0", 1, 5), QuantityError);
  CHECK_THROWS_AS(parse_count("6", 1, 5), QuantityError);
  CHECK_THROWS_WITH(parse_count("1k", 1, 5), "a whole number from 1 to 5 is wanted (units k, M, G)");
}

TEST_CASE("percentiles") {
  CHECK(parse_percentiles("50,95,99.9") == std::vector<double>{50, 95, 99.9});
  CHECK(parse_percentiles("99,50,99") == std::vector<double>{50, 99});
  CHECK(parse_percentiles("0,100") == std::vector<double>{0, 100});
  for (const char* text :
       {"", ",", "50,", ",50", "101", "100.1", "-1", "x", "50;95", "50, 95", "nan", "50%"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_percentiles(text), QuantityError);
  }
}

TEST_CASE("shares") {
  CHECK(parse_ratio("0.01") == doctest::Approx(0.01));
  CHECK(parse_ratio("1%") == doctest::Approx(0.01));
  CHECK(parse_ratio("0") == 0);
  CHECK(parse_ratio("1") == 1);
  CHECK(parse_ratio("100%") == 1);
  for (const char* text : {"", "%", "5", "101%", "-1%", "1%%", "x", "1 %", "nan"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_ratio(text), QuantityError);
  }
}

TEST_CASE("a locale with a decimal comma changes nothing") {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8"}) std::setlocale(LC_ALL, name);  // where there is one
  CHECK(parse_duration("1.5s") == 1500ms);
  CHECK(parse_percentiles("99.9") == std::vector<double>{99.9});
  std::setlocale(LC_ALL, before.c_str());
}

TEST_CASE("an instant is UTC or seconds since 1970") {
  using namespace std::chrono;
  const auto since_1970 = [](const char* text) {
    return duration_cast<milliseconds>(pgload::cli::parse_instant(text).time_since_epoch()).count();
  };
  CHECK(since_1970("2030-01-31T12:00:00Z") == 1'896'091'200'000);
  CHECK(since_1970("2030-01-31T12:00:00.250Z") == 1'896'091'200'250);
  CHECK(since_1970("1896091200.5") == 1'896'091'200'500);
  for (const char* text : {"", "Z", "2030-01-31", "2030-01-31T12:00:00", "2030-13-31T12:00:00Z",
                           "2030-01-31T12:00:00xZ", "1e10", "-5", "12:00"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(pgload::cli::parse_instant(text), pgload::cli::QuantityError);
  }
}
