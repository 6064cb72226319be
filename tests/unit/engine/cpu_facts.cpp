#include "src/engine/cpu_facts.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include "src/engine/self_watch.hpp"

namespace {

using namespace pgload::engine;
using namespace std::chrono_literals;

TEST_CASE("schedstat is time on the CPU and time in the queue, in ns") {
  const auto times = parse_schedstat("2500000000 750000000 1234\n");
  REQUIRE(times);
  CHECK(times->cpu_s == 2.5);
  CHECK(times->run_queue_wait_s == 0.75);
  CHECK_FALSE(parse_schedstat(""));
  CHECK_FALSE(parse_schedstat("12"));
  CHECK_FALSE(parse_schedstat("no numbers"));
}

TEST_CASE("steal is the eighth number of the first line, guests are counted already") {
  const auto ticks = parse_machine_ticks("cpu  10 20 30 40 50 60 70 80 900 900\ncpu0 1 1 1 1 1 1 1 1 1 1\n");
  REQUIRE(ticks);
  CHECK(ticks->all == 360);
  CHECK(ticks->stolen == 80);
  CHECK_FALSE(parse_machine_ticks("cpu  10 20 30 40 50 60 70\ncpu0 1\n"));
  CHECK_FALSE(parse_machine_ticks("intr 1"));
  CHECK_FALSE(parse_machine_ticks(""));
}

TEST_CASE("a thread of ours has its times, one that does not exist has none") {
  CHECK_FALSE(thread_times(0));
  const auto before = thread_times(::gettid());
  if (!before) return;  // a kernel without scheduler statistics
  while (thread_times(::gettid())->cpu_s < before->cpu_s + 0.01) {
  }
}

/// Feeds one look after another: seconds on the CPU and in the queue since the look before.
struct Looks {
  CpuWatch watch{0.9};
  Clock::time_point now{1h};
  ThreadTimes times{100, 50};

  Looks() { watch.begin(now, times); }
  void look(Clock::duration later, double cpu_s, double wait_s) {
    now += later;
    times.cpu_s += cpu_s;
    times.run_queue_wait_s += wait_s;
    watch.look(now, times);
  }
  pgload::stats::WorkerFacts facts() const {
    pgload::stats::WorkerFacts facts;
    watch.add_to(facts);
    return facts;
  }
};

TEST_CASE("a second is busy when the worker ran or wanted to run for most of it") {
  Looks looks;
  looks.look(1s, 0.5, 0.1);
  looks.look(1s, 0.95, 0);
  looks.look(1s, 0.3, 0.65);  // beside two other hogs on one CPU
  looks.look(1s, 0.89, 0);
  CHECK(looks.facts().seconds == 4);
  CHECK(looks.facts().busy_seconds == 2);
  CHECK(looks.facts().cpu_s == doctest::Approx(2.64));
  CHECK(looks.facts().run_queue_wait_s == doctest::Approx(0.75));
}

TEST_CASE("a late look counts for what it missed, the window's rest for its nearest second") {
  Looks looks;
  looks.look(3s, 2.9, 0);
  looks.look(200ms, 0.2, 0);
  CHECK(looks.facts().seconds == 3);
  CHECK(looks.facts().busy_seconds == 3);
  CHECK(looks.facts().cpu_s == doctest::Approx(3.1));
}

}  // namespace
