#include "workloads/ycsb/insert_counter.hpp"

#include <doctest/doctest.h>

#include <thread>
#include <vector>

namespace {

using workloads::ycsb::InsertCounter;

TEST_CASE("the last key is the one below which all are confirmed") {
  InsertCounter counter(1000);
  CHECK(counter.last() == 999);
  const auto first = counter.next(), second = counter.next(), third = counter.next();
  CHECK(first == 1000);
  counter.confirm(third);
  counter.confirm(second);
  CHECK(counter.last() == 999);
  counter.confirm(first);
  CHECK(counter.last() == 1002);
}

TEST_CASE("a key whose insert failed is passed over, and known as missing") {
  InsertCounter counter(10);
  const auto failed = counter.next(), good = counter.next();
  CHECK_FALSE(counter.is_missing(failed));
  counter.give_up(failed);
  counter.confirm(good);
  CHECK(counter.last() == good);
  CHECK(counter.is_missing(failed));
  CHECK_FALSE(counter.is_missing(good));
}

TEST_CASE("many threads at once lose nothing, far beyond the window") {
  constexpr std::uint64_t kEach = InsertCounter::kWindow / 8;
  InsertCounter counter(InsertCounter::kWindow - 5);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (std::uint64_t i = 0; i < kEach / 16; ++i) counter.confirm(counter.next());
    });
  for (auto& thread : threads) thread.join();
  CHECK(counter.last() == InsertCounter::kWindow - 6 + kEach / 4);
}

TEST_CASE("an insert that is never answered holds the others back, and no more") {
  InsertCounter counter(1);
  const auto silent = counter.next();
  for (int i = 0; i < 1000; ++i) counter.confirm(counter.next());
  CHECK(counter.last() == 0);
  counter.confirm(silent);
  CHECK(counter.last() == 1001);
}

}  // namespace
