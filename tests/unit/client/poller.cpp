#include "proto_pg/client/poller.hpp"

#include <doctest/doctest.h>

#include <boost/asio/post.hpp>
#include <memory>
#include <vector>

#include "tests/unit/client/sockets.hpp"

using namespace proto_pg::client;
using sockets::Pair;

namespace {

void say(const Pair& pair, char byte = 'x') { REQUIRE(::send(pair.peer, &byte, 1, MSG_NOSIGNAL) == 1); }

struct Rig {
  asio::io_context context{1};
  Poller poller{context};
  std::error_code error;

  Poller::Slot add(const Pair& pair) {
    const Poller::Slot slot = poller.add(pair.ours, error);
    REQUIRE(!error);
    return slot;
  }
};

asio::awaitable<void> count_waits(Poller& poller, Poller::Slot slot, Readiness wanted, int times, int& seen) {
  for (int i = 0; i < times; ++i) {
    co_await poller.wait(slot, wanted);
    ++seen;
    poller.clear(slot, Readiness::either);
  }
}

asio::awaitable<void> note_turn(Poller& poller, int number, std::vector<int>& order) {
  co_await poller.take_turn();
  order.push_back(number);
}

}  // namespace

TEST_CASE("a wait ends when the peer has written, and not before") {
  Rig rig;
  Pair pair;
  const auto slot = rig.add(pair);
  int seen = 0;
  sockets::spawn(rig.context, count_waits(rig.poller, slot, Readiness::readable, 1, seen));
  rig.context.poll();
  CHECK(seen == 0);
  say(pair);
  rig.context.run();
  CHECK(seen == 1);
}

TEST_CASE("what was cleared needs a new edge") {
  Rig rig;
  Pair pair;
  const auto slot = rig.add(pair);
  int seen = 0;
  sockets::spawn(rig.context, count_waits(rig.poller, slot, Readiness::readable, 2, seen));
  say(pair);
  while (seen == 0) rig.context.run_one();
  for (int i = 0; i < 10; ++i) rig.context.poll();
  CHECK(seen == 1);
  say(pair);
  rig.context.run();
  CHECK(seen == 2);
}

TEST_CASE("readable or writable: an idle socket is writable") {
  Rig rig;
  Pair pair;
  const auto slot = rig.add(pair);
  int seen = 0;
  sockets::spawn(rig.context, count_waits(rig.poller, slot, Readiness::either, 1, seen));
  rig.context.run();
  CHECK(seen == 1);
}

TEST_CASE("a hang-up lasts: clearing does not hide it") {
  Rig rig;
  Pair pair;
  const auto slot = rig.add(pair);
  int seen = 0;
  say(pair);
  SUBCASE("of one direction") { ::shutdown(pair.peer, SHUT_WR); }
  SUBCASE("of both") { pair.close_peer(); }
  sockets::spawn(rig.context, count_waits(rig.poller, slot, Readiness::readable, 3, seen));
  rig.context.run();
  CHECK(seen == 3);
}

TEST_CASE("wake resumes a waiter, and a wake before the wait is not lost") {
  Rig rig;
  Pair pair;
  const auto slot = rig.add(pair);
  int seen = 0;
  sockets::spawn(rig.context, count_waits(rig.poller, slot, Readiness::readable, 2, seen));
  rig.context.poll();
  CHECK(seen == 0);
  rig.poller.wake(slot);
  CHECK(seen == 0);  // never from within wake
  rig.context.run();
  CHECK(seen == 2);
}

TEST_CASE("a stale slot is harmless after its number was given to another socket") {
  Rig rig;
  Pair first, second;
  const auto stale = rig.add(first);
  rig.poller.remove(stale);
  const auto slot = rig.add(second);
  CHECK(slot.entry == stale.entry);
  rig.poller.wake(stale);
  rig.poller.assume(stale, Readiness::either);
  CHECK_FALSE(rig.poller.ready(slot, Readiness::either));
  CHECK_FALSE(rig.poller.ready(stale, Readiness::either));
  rig.poller.remove(stale);
  rig.poller.assume(slot, Readiness::readable);
  CHECK(rig.poller.ready(slot, Readiness::readable));
}

TEST_CASE("run returns although sockets are registered, and can be run again") {
  Rig rig;
  Pair pair;
  const auto slot = rig.add(pair);
  int seen = 0;
  for (int round = 1; round <= 3; ++round) {
    rig.context.restart();
    say(pair);
    sockets::spawn(rig.context, count_waits(rig.poller, slot, Readiness::readable, 1, seen));
    rig.context.run();
    CHECK(seen == round);
  }
}

TEST_CASE("many sockets in one turn, each resumed as often as it had an edge") {
  Rig rig;
  constexpr int kSockets = 600;  // more than one epoll_wait brings
  std::vector<std::unique_ptr<Pair>> pairs;
  int seen = 0;
  for (int i = 0; i < kSockets; ++i) {
    pairs.push_back(std::make_unique<Pair>());
    sockets::spawn(rig.context,
                   count_waits(rig.poller, rig.add(*pairs.back()), Readiness::readable, 2, seen));
  }
  rig.context.poll();
  for (const auto& pair : pairs) say(*pair);
  while (seen < kSockets) rig.context.run_one();
  for (const auto& pair : pairs) say(*pair);
  rig.context.run();
  CHECK(seen == 2 * kSockets);
}

TEST_CASE("a coroutine that still waits is destroyed with the poller and the io_context") {
  Pair pair;
  auto alive = std::make_shared<int>(0);
  const std::weak_ptr<int> watch = alive;
  int seen = 0;
  {
    Rig rig;
    const auto slot = rig.add(pair);
    auto body = [](Poller& poller, Poller::Slot s, std::shared_ptr<int> held,
                   int& count) -> asio::awaitable<void> {
      co_await count_waits(poller, s, Readiness::readable, 1, count);
      ++*held;
    };
    sockets::spawn(rig.context, body(rig.poller, slot, std::move(alive), seen));
    rig.context.poll();
    CHECK_FALSE(watch.expired());
  }
  CHECK(watch.expired());
  CHECK(seen == 0);
}

TEST_CASE("turns are taken in order, one for each turn of the loop") {
  Rig rig;
  std::vector<int> order;
  bool between = false;
  for (int i = 0; i < 3; ++i) sockets::spawn(rig.context, note_turn(rig.poller, i, order));
  while (order.empty()) rig.context.run_one();
  asio::post(rig.context, [&] { between = order.size() < 3; });
  rig.context.run();
  CHECK(order == std::vector<int>{0, 1, 2});
  CHECK(between);
}
