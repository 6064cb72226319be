#include "src/engine/transaction_sampler.hpp"

#include <doctest/doctest.h>

using namespace std::chrono_literals;
using pgload::engine::Clock;
using pgload::engine::TransactionRecord;
using pgload::engine::TransactionSampler;
using pgload::engine::Window;
using Outcome = pgload::stats::TransactionSample::Outcome;

namespace {

const Clock::time_point kStart{100s};
const Window kWindow{kStart, kStart + 10s};

TransactionRecord record(Clock::duration arrival) {
  TransactionRecord made;
  made.kind = 1;
  made.host = 2;
  made.retries = 3;
  made.arrival = kStart + arrival;
  made.dispatch = made.arrival + 1ms;
  made.completion = made.arrival + 5ms;
  return made;
}

std::size_t taken_of(double share, int transactions) {
  TransactionSampler sampler(share, 42, 0);
  for (int i = 0; i < transactions; ++i) sampler.note(record(1s), 0, Outcome::completed, kWindow);
  return sampler.take().samples.size();
}

}  // namespace

TEST_CASE("a sample says all of its transaction, in ns since the window's start") {
  TransactionSampler sampler(1, 42, 0);
  CHECK(sampler.empty());
  sampler.note(record(2s), 7, Outcome::failed, kWindow);
  const auto taken = sampler.take();
  REQUIRE(taken.samples.size() == 1);
  const auto& one = taken.samples[0];
  CHECK(one.arrival_ns == 2'000'000'000);
  CHECK(one.dispatch_ns == 2'001'000'000);
  CHECK(one.completion_ns == 2'005'000'000);
  CHECK(one.session == 7);
  CHECK(one.kind == 1);
  CHECK(one.host == 2);
  CHECK(one.retries == 3);
  CHECK(one.outcome == Outcome::failed);
  CHECK(sampler.empty());
}

TEST_CASE("arrivals outside the window are no samples") {
  TransactionSampler sampler(1, 42, 0);
  sampler.note(record(-1ms), 0, Outcome::completed, kWindow);
  sampler.note(record(10s), 0, Outcome::completed, kWindow);
  CHECK(sampler.empty());
}

TEST_CASE("the share is kept") {
  CHECK(taken_of(0, 1000) == 0);
  CHECK(taken_of(1, 1000) == 1000);
  const auto tenth = taken_of(0.1, 50'000);
  CHECK(tenth > 4'700);  // 5,000 ± 4.5 standard deviations of 67
  CHECK(tenth < 5'300);
}

TEST_CASE("what has no room is counted") {
  TransactionSampler sampler(1, 42, 0);
  for (std::size_t i = 0; i < TransactionSampler::kRoom + 5; ++i)
    sampler.note(record(1s), 0, Outcome::completed, kWindow);
  const auto taken = sampler.take();
  CHECK(taken.samples.size() == TransactionSampler::kRoom);
  CHECK(taken.dropped == 5);
  CHECK(sampler.take().dropped == 0);
}
