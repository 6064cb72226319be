#include "src/engine/pacer.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/unit/engine/virtual_clock.hpp"

using namespace std::chrono_literals;
using namespace pgload::engine;
using pgload::stats::RunResult;

namespace {

struct Fixture {
  Fixture() { VirtualClock::now = origin; }

  void begin() {
    recorder.set_window({origin, origin + 1h});
    pacer.begin({origin, origin + 1h});
  }
  /// One arrival every 10 ms.
  void plan_arrivals(std::uint64_t first_counted = 0, std::optional<std::uint64_t> count = {}) {
    admission.plan({ArrivalSchedule(LoadProfile(100), ArrivalKind::uniform, 1), origin, first_counted},
                   count);
    begin();
  }
  /// Of the recorder alone; what nobody claimed is not in it.
  RunResult recorded() {
    RunResult result;
    result.kinds.resize(1);
    result.hosts.resize(1);
    result.queued_response.emplace();
    recorder.add_to(result, {}, {});
    return result;
  }
  Clock::time_point at(Clock::duration offset) {
    VirtualClock::now = origin + offset;
    return VirtualClock::now;
  }

  RunPlan plan;
  Admission admission;
  Recorder recorder{1, 0, 1, admission};
  Pacer pacer{plan, admission, recorder, VirtualClock::read};
  Pace pace{workloads::random::Generator(1, 2), 0};
  Clock::time_point origin = Clock::now() + 1h;
};

}  // namespace

TEST_CASE_FIXTURE(Fixture, "a closed loop starts at once, and as many as the limit leaves") {
  admission.limit(5, origin);
  begin();
  const auto start = pacer.next(pace);
  REQUIRE(start);
  CHECK(start->when == origin);
  CHECK_FALSE(start->arrival);
  const Pacer::Claim batch = pacer.claim(*start, 4);
  CHECK(batch.count == 4);
  CHECK(batch.arrival == batch.dispatch);
  CHECK(pacer.claim(*start, 4).count == 1);
  CHECK(pacer.claim(*start, 4).count == 0);
}

TEST_CASE_FIXTURE(Fixture,
                  "a constant think time counts from the last completion; the first is a part of it") {
  plan.think.mean = 100ms;
  begin();
  const auto first = pacer.next(pace);
  CHECK(first->when > origin);
  CHECK(first->when < origin + 100ms);
  Pace other{workloads::random::Generator(1, 3), 1};
  CHECK(pacer.next(other)->when != first->when);  // not in step

  pace.last_completion = origin + 3s;
  at(3s + 40ms);  // it had something to do after that
  CHECK(pacer.next(pace)->when == origin + 3s + 100ms);
}

TEST_CASE_FIXTURE(Fixture, "an exponential think time has its mean and its spread, from the first on") {
  plan.think = {100ms, true};
  begin();
  double sum = 0, squares = 0;
  constexpr int kDraws = 20'000;
  for (int i = 0; i < kDraws; ++i) {
    if (i > 0) pace.last_completion = origin;
    const double means = std::chrono::duration<double>(pacer.next(pace)->when - origin).count() / 0.1;
    sum += means;
    squares += means * means;
  }
  CHECK(std::abs(sum / kDraws - 1) < 4 / std::sqrt(kDraws));
  CHECK(squares / kDraws == doctest::Approx(2).epsilon(0.1));
}

TEST_CASE_FIXTURE(Fixture, "a think time that was over before is no wait") {
  plan.think.mean = 100ms;
  begin();
  pace.last_completion = origin;
  const Clock::time_point now = at(5s);
  const auto start = pacer.next(pace);
  CHECK(start->when < start->now);
  CHECK(pacer.claim(*start, 1).dispatch == now);
}

TEST_CASE_FIXTURE(Fixture, "a session takes part while the profile of sessions is above its number") {
  plan.active_sessions = LoadProfile({{10, 0, 10}, {10, 2, 2}});
  begin();
  pace.session = 4;
  CHECK(pacer.next(pace)->when - origin == 4500ms);  // the level rounds to 5
  at(7s);
  CHECK(pacer.next(pace)->when == VirtualClock::now);
  at(12s);
  CHECK_FALSE(pacer.next(pace));  // 2 until the end
  pace.session = 1;
  CHECK(pacer.next(pace)->when == VirtualClock::now);
}

TEST_CASE_FIXTURE(Fixture, "a free session waits for its arrival: what it is late is its own") {
  plan_arrivals();
  at(5ms);
  pacer.next(pace);  // arrival 0, at the origin
  const auto start = pacer.next(pace);
  CHECK(start->when == origin + 10ms);
  const Clock::time_point woken = at(13ms);
  const Pacer::Claim claim = pacer.claim(*start, 1);
  CHECK(claim.was_free);
  CHECK(claim.arrival == origin + 10ms);
  CHECK(claim.dispatch == woken);
}

TEST_CASE_FIXTURE(Fixture, "a busy session starts at once what has waited for it") {
  plan_arrivals();
  const Clock::time_point now = at(2s);
  const auto start = pacer.next(pace);
  const Pacer::Claim claim = pacer.claim(*start, 1);
  CHECK_FALSE(claim.was_free);
  CHECK(claim.arrival == origin);
  CHECK(claim.dispatch == now);
}

TEST_CASE_FIXTURE(Fixture, "what waited longer than the limit is skipped, the warm-up's uncounted") {
  plan.skip_after = 35ms;
  plan_arrivals(3);
  at(100ms);
  const auto start = pacer.next(pace);
  CHECK(*start->arrival == origin + 70ms);  // at 60 ms: 40 ms old
  CHECK(recorded().transactions.skipped == 4);
  CHECK(recorded().transactions.arrivals == 4);
  const auto next = pacer.next(pace);
  CHECK(*next->arrival == origin + 80ms);
}

TEST_CASE_FIXTURE(Fixture, "the time that skipping takes is in no service time") {
  static Clock::time_point slow;
  slow = origin + 100ms;
  Pacer busy(plan, admission, recorder, [] { return slow += 5ms; });
  plan.skip_after = 35ms;
  plan_arrivals();
  busy.begin({origin, origin + 1h});
  const auto start = busy.next(pace);
  CHECK(*start->arrival == origin + 70ms);  // as young as it has to be at the first look, at 105 ms
  CHECK(busy.claim(*start, 1).dispatch == origin + 110ms);
  const auto next = busy.next(pace);
  CHECK(busy.claim(*next, 1).dispatch == origin + 115ms);  // nothing skipped: one look
}

TEST_CASE_FIXTURE(Fixture, "of a planned number of arrivals there are no more, skipped or not") {
  plan.skip_after = 1s;
  plan_arrivals(0, 20);
  at(1h);
  CHECK_FALSE(pacer.next(pace));
  CHECK(recorded().transactions.skipped == 20);
}

TEST_CASE_FIXTURE(
    Fixture, "nothing starts after the end: what is claimed and due is queued, what is not due is none") {
  plan_arrivals();
  const auto due = pacer.next(pace);
  const auto later = pacer.next(pace);
  admission.end_at(origin + 10ms);
  recorder.end_window(origin + 10ms);
  at(10ms);
  CHECK(pacer.claim(*later, 1).count == 0);  // due with the end, not before it
  CHECK(recorded().transactions.arrivals == 0);
  const Start late{VirtualClock::now, *due->arrival, due->arrival};
  CHECK(pacer.claim(late, 1).count == 0);
  CHECK(recorded().transactions.queued == 1);
  CHECK(*recorded().queued_response->max() == 10ms);
}

TEST_CASE_FIXTURE(Fixture, "a schedule whose rate falls to nothing has an end") {
  admission.plan({ArrivalSchedule(LoadProfile({{1, 2, 0}}), ArrivalKind::uniform, 1), origin, 0}, {});
  begin();
  CHECK(pacer.next(pace));
  CHECK(pacer.next(pace));
  CHECK_FALSE(pacer.next(pace));
}
