#include "src/engine/wake_queue.hpp"

#include <doctest/doctest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <deque>
#include <vector>

using namespace std::chrono_literals;
using pgload::engine::WakeQueue;
using Clock = WakeQueue::Clock;

namespace {

struct Fixture {
  boost::asio::awaitable<void> sleep(WakeQueue::Sleeper& sleeper, int name, Clock::time_point due) {
    co_await wakes.sleep_until(sleeper, due);
    woken.push_back(name);
    early += Clock::now() < due;
  }
  void start(int name, Clock::time_point due) {
    boost::asio::co_spawn(context, sleep(sleepers.emplace_back(), name, due), boost::asio::detached);
  }

  boost::asio::io_context context{1};
  WakeQueue wakes{context};
  std::deque<WakeQueue::Sleeper> sleepers;
  std::vector<int> woken;
  int early = 0;
  Clock::time_point now = Clock::now();
};

using Names = std::vector<int>;

}  // namespace

TEST_CASE_FIXTURE(Fixture, "who is due resumes in the order of due times, and of two the first comer") {
  start(4, now + 4ms);
  start(2, now + 2ms);
  start(5, now + 4ms);
  start(1, now - 1h);
  start(3, now + 2ms);
  context.run();
  CHECK(woken == Names{1, 2, 3, 4, 5});
  CHECK(early == 0);
}

TEST_CASE_FIXTURE(Fixture, "one who is due earlier than all others moves the timer") {
  start(2, now + 1h);
  context.poll();
  start(1, now + 1ms);
  while (woken.empty()) context.run_one();
  CHECK(woken == Names{1});
  wakes.end();
  context.run();
  CHECK(woken == Names{1, 2});
}

TEST_CASE_FIXTURE(Fixture, "the end wakes everybody, and nobody sleeps after it until the next run begins") {
  start(2, now + 2h);
  start(1, now + 1h);
  context.poll();
  CHECK(woken.empty());
  wakes.end();
  context.run();
  CHECK(woken == Names{1, 2});
  start(3, now + 1h);
  context.restart();
  context.run();
  CHECK(woken == Names{1, 2, 3});
  CHECK(early == 3);

  wakes.begin(now);
  start(4, now + 1h);
  context.restart();
  context.poll();
  CHECK(woken.size() == 3);
  wakes.end();
  context.run();
  CHECK(woken == Names{1, 2, 3, 4});
}

TEST_CASE_FIXTURE(Fixture, "lateness is measured, of what is due from the run's begin on") {
  wakes.begin(now);
  start(1, now - 1ms);
  context.run();
  CHECK(wakes.lateness().empty());
  start(2, now);
  context.restart();
  context.run();
  CHECK(wakes.lateness().count() == 1);
  CHECK(*wakes.lateness().max() <= Clock::now() - now);
  wakes.begin(now);
  CHECK(wakes.lateness().empty());
}

TEST_CASE_FIXTURE(Fixture, "hundreds of sleepers, added in any order") {
  for (int i = 0; i < 500; ++i) start(i * 7919 % 500, now + std::chrono::microseconds(i * 7919 % 500));
  context.run();
  CHECK(woken.size() == 500);
  CHECK(std::ranges::is_sorted(woken));
  CHECK(early == 0);
}
