#include "tests/support/service_times.hpp"

#include <algorithm>
#include <cmath>
#include <thread>

namespace support {

namespace {

double unit(std::mt19937_64& generator) { return std::uniform_real_distribution<double>()(generator); }

}  // namespace

ServiceTimes::Draw ServiceTimes::constant(Duration time) {
  return [=](std::mt19937_64&) { return time; };
}

ServiceTimes::Draw ServiceTimes::exponential(Duration mean) {
  return [=](std::mt19937_64& generator) {
    return Duration(std::llround(static_cast<double>(mean.count()) * -std::log1p(-unit(generator))));
  };
}

ServiceTimes::Draw ServiceTimes::bimodal(Duration usual, Duration seldom, double share) {
  return [=](std::mt19937_64& generator) { return unit(generator) < share ? seldom : usual; };
}

void ServiceTimes::serve(Clock::time_point received) {
  Duration time;
  {
    const std::lock_guard lock(mutex_);
    time = draw_(generator_);
  }
  std::this_thread::sleep_until(received + time);
  const std::lock_guard lock(mutex_);
  log_.push_back({received, Clock::now()});
}

std::vector<ServiceTimes::Served> ServiceTimes::log() const {
  const std::lock_guard lock(mutex_);
  return log_;
}

std::vector<ServiceTimes::Duration> ServiceTimes::sorted() const {
  std::vector<Duration> times;
  for (const Served& served : log()) times.push_back(served.answered - served.received);
  std::ranges::sort(times);
  return times;
}

}  // namespace support
