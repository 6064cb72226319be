#include "src/stats/coordinated_omission.hpp"

#include <doctest/doctest.h>

using namespace std::chrono_literals;
using pgload::stats::corrected_for_coordinated_omission;
using pgload::stats::LatencyHistogram;

TEST_CASE("who waited longer than the interval would have sent more, which wait ever shorter") {
  LatencyHistogram measured;
  measured.record(1us);
  measured.record(2000us);
  const LatencyHistogram corrected = corrected_for_coordinated_omission(measured, 500us);
  CHECK(corrected.count() == 2 + 3);  // 1500, 1000 and 500 us
  CHECK(*corrected.max() == 2000us);
  CHECK(static_cast<double>(corrected.percentile(60)->count()) == doctest::Approx(1'000'000).epsilon(0.001));
  CHECK(static_cast<double>(corrected.percentile(80)->count()) == doctest::Approx(1'500'000).epsilon(0.001));
}

TEST_CASE("what was as quick as the interval stays as it is") {
  LatencyHistogram measured;
  measured.record(400us, 1000);
  CHECK(corrected_for_coordinated_omission(measured, 500us).count() == 1000);
  CHECK(corrected_for_coordinated_omission({}, 500us).empty());
}

TEST_CASE("a stall of 2 s in 10 s, met by one session, is what one rate would have shown") {
  // At 500/s: 4,000 quick ones and one of 2 s. A fixed rate had sent 1,000 into the stall.
  LatencyHistogram measured;
  measured.record(200us, 4000);
  measured.record(2s);
  const LatencyHistogram corrected = corrected_for_coordinated_omission(measured, 2ms);
  CHECK(*measured.percentile(99) < 1ms);
  CHECK(corrected.count() == 5000);
  CHECK(static_cast<double>(corrected.percentile(99)->count()) == doctest::Approx(1.9e9).epsilon(0.01));
  CHECK(static_cast<double>(corrected.percentile(90)->count()) == doctest::Approx(1.0e9).epsilon(0.01));
}

TEST_CASE("equal waits are corrected together") {
  LatencyHistogram measured;
  measured.record(1ms, 1'000'000'000'000);
  CHECK(corrected_for_coordinated_omission(measured, 250us).count() == 4'000'000'000'000);
}
