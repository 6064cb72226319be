#include "src/engine/arrival_schedule.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace std::chrono_literals;
using pgload::engine::ArrivalKind;
using pgload::engine::ArrivalSchedule;
using pgload::engine::LoadProfile;
using Cursor = ArrivalSchedule::Cursor;

namespace {

double seconds(std::chrono::nanoseconds t) { return std::chrono::duration<double>(t).count(); }

/// The Kolmogorov-Smirnov distance of sorted samples in [0, 1] from the uniform distribution, times sqrt(n).
/// Above 1.95 is met once in 1,000 draws by chance; the seeds below are fixed.
double kolmogorov_smirnov(std::vector<double> samples) {
  std::ranges::sort(samples);
  const auto n = static_cast<double>(samples.size());
  double distance = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    distance = std::max(
        {distance, static_cast<double>(i + 1) / n - samples[i], samples[i] - static_cast<double>(i) / n});
  }
  return distance * std::sqrt(n);
}

}  // namespace

TEST_CASE("uniform arrivals stand at equal distances, the first at the start") {
  const ArrivalSchedule schedule(LoadProfile(500), ArrivalKind::uniform, 1);
  Cursor cursor(schedule);
  CHECK(cursor.at(0) == 0ns);
  CHECK(cursor.at(1) == 2ms);
  CHECK(cursor.at(4999) == 9998ms);
  CHECK(cursor.count_before(10s) == 5000);
  CHECK(cursor.count_before(2ms) == 1);
  CHECK(cursor.count_before(2ms + 1ns) == 2);
  CHECK(cursor.count_before(0ns) == 0);
}

TEST_CASE("uniform arrivals of several clients interleave: together they are those of the whole rate") {
  const ArrivalSchedule whole(LoadProfile({{10, 100, 700}}), ArrivalKind::uniform, 1);
  Cursor all(whole);
  for (const std::uint64_t client : {0U, 1U, 2U}) {
    const ArrivalSchedule part(LoadProfile({{10, 100, 700}}).scaled(1.0 / 3), ArrivalKind::uniform,
                               1 + client, static_cast<double>(client) / 3);
    Cursor cursor(part);
    for (std::uint64_t k = 0; k < 1500; ++k) {
      const auto apart = cursor.at(k) - all.at(3 * k + client);
      CHECK(std::chrono::abs(apart) <= 10ns);
    }
    CHECK(cursor.count_before(1ns) == (client == 0));
    CHECK(cursor.count_before(cursor.at(777)) == 777);
  }
}

TEST_CASE("gaps of Poisson arrivals are exponential") {
  const double rate = 5000;
  const ArrivalSchedule schedule(LoadProfile(rate), ArrivalKind::poisson, 42);
  Cursor cursor(schedule);
  std::vector<double> gaps;
  for (std::uint64_t k = 0; k < 100'000; ++k) {
    const double gap_s = seconds(cursor.at(k + 1) - cursor.at(k));
    gaps.push_back(1 - std::exp(-rate * gap_s));
  }
  CHECK(kolmogorov_smirnov(gaps) < 1.95);
}

TEST_CASE("Poisson arrivals on a ramp follow its integral") {
  const LoadProfile ramp({{100, 0, 1000}});
  const ArrivalSchedule schedule(ramp, ArrivalKind::poisson, 7);
  Cursor cursor(schedule);
  const std::uint64_t count = cursor.count_before(100s);
  CHECK(std::abs(static_cast<double>(count) - 50'000) < 4 * std::sqrt(50'000));
  std::vector<double> places;
  for (std::uint64_t k = 0; k < count; ++k) places.push_back(ramp.area(seconds(cursor.at(k))) / 50'000);
  CHECK(kolmogorov_smirnov(places) < 1.95);
}

TEST_CASE("counts in equal times are Poisson distributed, and independent of their neighbours") {
  const ArrivalSchedule schedule(LoadProfile(1000), ArrivalKind::poisson, 3);
  Cursor cursor(schedule);
  constexpr int kCells = 20'000;
  double sum = 0, squares = 0, products = 0, previous = 0;
  std::uint64_t before = 0;
  for (int i = 0; i < kCells; ++i) {
    const std::uint64_t until = cursor.count_before((i + 1) * 10ms);
    const double count = static_cast<double>(until - before) - 10;
    before = until;
    sum += count;
    squares += count * count;
    products += count * previous;
    previous = count;
  }
  CHECK(std::abs(sum / kCells) < 4 * std::sqrt(10.0 / kCells));
  CHECK(squares / kCells == doctest::Approx(10).epsilon(0.05));
  CHECK(std::abs(products / kCells / 10) < 4 / std::sqrt(kCells));
}

TEST_CASE("the schedule depends on the seed alone, not on who walks over it and how") {
  const ArrivalSchedule schedule(LoadProfile(1e6), ArrivalKind::poisson, 9);
  const ArrivalSchedule same(LoadProfile(1e6), ArrivalKind::poisson, 9);
  const ArrivalSchedule other(LoadProfile(1e6), ArrivalKind::poisson, 10);
  Cursor forward(schedule), jumping(same), different(other);
  std::vector<std::chrono::nanoseconds> times;
  for (std::uint64_t k = 0; k < 5000; ++k) times.push_back(forward.at(k));
  CHECK(std::ranges::is_sorted(times));
  for (const std::uint64_t k : {4999U, 3U, 2000U, 255U, 256U, 257U, 0U}) CHECK(jumping.at(k) == times[k]);
  CHECK(different.at(1000) != times[1000]);
}

TEST_CASE("the number of arrivals before a time fits their times, at any rate and any distance") {
  for (const double rate : {1e-9, 0.5, 3.0, 1e4, 1e9, 1e12}) {
    for (const ArrivalKind kind : {ArrivalKind::poisson, ArrivalKind::uniform}) {
      const ArrivalSchedule schedule(LoadProfile(rate), kind, 5);
      Cursor cursor(schedule);
      for (const std::chrono::nanoseconds t : {1ns, 999ns, 1'000'000ns, 1'000'000'001ns, 600'000'000'007ns}) {
        const std::uint64_t count = cursor.count_before(t);
        if (count > 0) CHECK(cursor.at(count - 1) < t);
        CHECK(cursor.at(count) >= t);
      }
    }
  }
}

TEST_CASE("skipping a million millions costs what skipping one does") {
  const ArrivalSchedule schedule(LoadProfile(1e12), ArrivalKind::poisson, 5);
  Cursor cursor(schedule);
  const double count = static_cast<double>(cursor.count_before(60s));
  CHECK(count == doctest::Approx(6e13).epsilon(1e-5));
  CHECK(cursor.at(std::uint64_t{1} << 60) == ArrivalSchedule::kNever);
}
