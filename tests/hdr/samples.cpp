// Histograms of many shapes for the referee: a line each, "BASE64 COUNT MAX P50 P90 …", all from pgload.
#include <fmt/format.h>

#include <random>

#include "src/report/hdr_encoding.hpp"

namespace {

using namespace pgload::stats;
using namespace std::chrono_literals;

constexpr double kPercentiles[] = {0, 25, 50, 90, 95, 99, 99.9, 99.99, 100};

void print(const LatencyHistogram& histogram) {
  fmt::print("{} {} {}", pgload::report::hdr_base64(pack(histogram)), histogram.count(),
             histogram.max().value_or(0ns).count());
  for (const double p : kPercentiles) fmt::print(" {}", histogram.percentile(p).value_or(0ns).count());
  fmt::print("\n");
}

LatencyHistogram drawn(unsigned seed) {
  std::mt19937_64 random(seed);
  LatencyHistogram histogram;
  const unsigned most_bits = 1 + seed % 42;
  for (unsigned i = 0; i < 1 + seed * 37 % 5000; ++i) {
    histogram.record(std::chrono::nanoseconds(random() >> (64 - 1 - random() % most_bits)));
  }
  return histogram;
}

}  // namespace

int main() {
  print({});
  for (unsigned seed = 0; seed < 100; ++seed) print(drawn(seed));

  LatencyHistogram saturated = drawn(5);
  for (int i = 0; i < 50; ++i) saturated.record(5h);
  print(saturated);

  LatencyHistogram unfinished = drawn(6);
  unfinished.record_at_least(3s);
  print(unfinished);

  LatencyHistogram many;
  many.record(1ms);
  for (int i = 0; i < 40; ++i) many.merge(LatencyHistogram(many));
  many.record(2ms);
  print(many);
  return 0;
}
