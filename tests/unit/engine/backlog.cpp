#include "src/engine/backlog.hpp"

#include <doctest/doctest.h>

#include <chrono>

using namespace std::chrono_literals;
using namespace pgload::engine;
using pgload::stats::LatencyHistogram;

namespace {

const Clock::time_point kOrigin = Clock::now();

struct Fixture {
  void plan(LoadProfile rate, ArrivalKind kind, std::uint64_t first_counted = 0,
            std::optional<std::uint64_t> count = {}) {
    admission.plan({ArrivalSchedule(std::move(rate), kind, 11), kOrigin, first_counted}, count);
  }
  void claim(std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) admission.take_arrival();
  }

  Admission admission;
};

}  // namespace

TEST_CASE_FIXTURE(Fixture, "planned is what is due before an instant, without the warm-up, up to the count") {
  plan(LoadProfile(100), ArrivalKind::uniform, 50, 200);
  Backlog backlog(admission);
  CHECK(backlog.planned_before(kOrigin + 300ms) == 0);
  CHECK(backlog.planned_before(kOrigin + 500ms) == 0);
  CHECK(backlog.planned_before(kOrigin + 501ms) == 1);
  CHECK(backlog.planned_before(kOrigin + 1s) == 50);
  CHECK(backlog.planned_before(kOrigin + 1h) == 200);
  CHECK(backlog.due_between(kOrigin, kOrigin + 1s) == 100);
  CHECK(backlog.due_between(kOrigin + 1s, kOrigin + 2s) == 100);
  CHECK(backlog.due_between(kOrigin + 2s, kOrigin + 9s) == 50);
}

TEST_CASE_FIXTURE(Fixture, "the queue is what is due and not claimed") {
  plan(LoadProfile(100), ArrivalKind::uniform);
  claim(30);
  Backlog backlog(admission);
  const auto at = [&](Clock::duration since) {
    return backlog.queue_at(kOrigin + since, admission.next_arrival());
  };
  CHECK(at(299ms).count == 0);
  CHECK(at(300ms).count == 0);  // due now, not yet late
  CHECK(at(301ms).count == 1);
  CHECK(at(301ms).oldest == 1ms);
  CHECK(at(1s).count == 70);
  CHECK(at(1s).oldest == 700ms);
}

TEST_CASE_FIXTURE(Fixture, "ages are those of each arrival, bucket for bucket") {
  for (const auto kind : {ArrivalKind::poisson, ArrivalKind::uniform}) {
    plan(LoadProfile({{2, 10, 20'000}, {1, 0, 0}, {2, 5000, 5000}}), kind, 700);
    const Clock::time_point end = kOrigin + 4s;
    for (const std::uint64_t next : {0U, 500U, 9'999U, 25'000U}) {
      CAPTURE(next);
      LatencyHistogram expected;
      ArrivalSchedule::Cursor cursor(admission.arrivals()->schedule);
      for (std::uint64_t k = std::max<std::uint64_t>(next, 700); kOrigin + cursor.at(k) < end; ++k)
        expected.record_at_least(end - (kOrigin + cursor.at(k)));
      const LatencyHistogram ages = Backlog(admission).ages_at(end, next);
      CHECK(ages.count() == expected.count());
      CHECK(ages.at_least_count() == expected.count());
      CHECK(ages.max() == expected.max());
      CHECK(std::ranges::equal(ages.counts(), expected.counts()));
    }
  }
}

TEST_CASE_FIXTURE(Fixture, "a million millions per second are counted without looking at each") {
  plan(LoadProfile(1e12), ArrivalKind::poisson);
  Backlog backlog(admission);
  const Clock::time_point end = kOrigin + 2us;
  const LatencyHistogram ages = backlog.ages_at(end, 1000);
  CHECK(ages.count() == backlog.planned_before(end) - 1000);
  CHECK(static_cast<double>(ages.percentile(50)->count()) == doctest::Approx(1e3).epsilon(0.01));
}

TEST_CASE_FIXTURE(Fixture, "no arrival, no age") {
  plan(LoadProfile(1e-9), ArrivalKind::poisson);
  Backlog backlog(admission);
  CHECK(backlog.ages_at(kOrigin + 60s, 0).empty());
  CHECK(backlog.queue_at(kOrigin + 60s, 0).count == 0);
}
