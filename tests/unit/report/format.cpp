#include "src/report/format.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <limits>

namespace {

using namespace pgload::report;
using namespace std::chrono_literals;

TEST_CASE("whole numbers in groups of three") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(grouped(1'234'567) == "1,234,567");
  CHECK(grouped(std::numeric_limits<std::uint64_t>::max()) == "18,446,744,073,709,551,615");
  CHECK(whole(1486.5) == "1,486");
  CHECK(counted(1, "session") == "1 session");
  CHECK(counted(1000, "session") == "1,000 sessions");
}

TEST_CASE("three significant figures, rounded once") {
  CHECK(significant(0) == "0");
  CHECK(significant(0.00001) == "0.0000");
  CHECK(significant(0.00123) == "0.0012");
  CHECK(significant(0.05234) == "0.0523");
  CHECK(significant(0.9996) == "1.00");
  CHECK(significant(1.184) == "1.18");
  CHECK(significant(9.996) == "10.0");
  CHECK(significant(43.16) == "43.2");
  CHECK(significant(99.96) == "100");
  CHECK(significant(131.4) == "131");
  CHECK(significant(999.6) == "1,000");
  CHECK(significant(1519.7) == "1,520");
  CHECK(significant(-43.16) == "-43.2");
  CHECK(significant(-1519.7) == "-1,520");
  CHECK(significant(1e15) == "1,000,000,000,000,000");
  CHECK(significant(std::numeric_limits<double>::quiet_NaN()) == "-");
  CHECK(significant(std::numeric_limits<double>::infinity()) == "-");
}

TEST_CASE("rates") {
  CHECK(rate(0) == "0");
  CHECK(rate(0.25) == "0.250");
  CHECK(rate(3.5) == "3.50");
  CHECK(rate(148.24) == "148.2");
  CHECK(rate(1482.1) == "1,482.1");
  CHECK(rate(9999.97) == "10,000");
  CHECK(rate(29641.6) == "29,642");
}

TEST_CASE("latencies in ms") {
  CHECK(milliseconds(std::nullopt) == "-");
  CHECK(milliseconds(52'340ns) == "0.0523");
  CHECK(milliseconds(1520ms) == "1,520");
  CHECK(milliseconds_of_us(std::nullopt) == "-");
  CHECK(milliseconds_of_us(41'234.0) == "41.2");
}

TEST_CASE("durations and sizes") {
  CHECK(seconds(0) == "0.00 s");
  CHECK(seconds(0.001) == "1.00 ms");
  CHECK(seconds(0.0601) == "0.06 s");
  CHECK(seconds(9.996) == "10.0 s");
  CHECK(seconds(60) == "60.0 s");
  CHECK(seconds(86'400) == "86,400 s");
  CHECK(bytes(0) == "0 B");
  CHECK(bytes(999) == "999 B");
  CHECK(bytes(18'300) == "18.3 kB");
  CHECK(bytes(999'600) == "1.00 MB");
  CHECK(bytes(18'000'000) == "18.0 MB");
  CHECK(bytes(std::numeric_limits<std::uint64_t>::max()) == "18.4 EB");
}

TEST_CASE("percentile names") {
  CHECK(percentile_name(50) == "p50");
  CHECK(percentile_name(99.9) == "p99.9");
  CHECK(percentile_name(100) == "p100");
}

}  // namespace
