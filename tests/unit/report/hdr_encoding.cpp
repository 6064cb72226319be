#include "src/report/hdr_encoding.hpp"

#include <doctest/doctest.h>

#include <random>

#include "src/report/base64.hpp"

namespace {

using namespace pgload::report;
using namespace pgload::stats;
using namespace std::chrono_literals;

PackedHistogram sample(unsigned seed) {
  std::mt19937_64 random(seed);
  LatencyHistogram histogram;
  for (int i = 0; i < 1000; ++i) {
    histogram.record(std::chrono::nanoseconds(random() >> (10 + random() % 53)));
  }
  return pack(histogram);
}

TEST_CASE("a histogram survives its base64") {
  CHECK(counts_of_hdr(hdr_base64({})) == "");
  for (unsigned seed = 0; seed < 20; ++seed) {
    const PackedHistogram packed = sample(seed);
    CHECK(counts_of_hdr(hdr_base64(packed)) == packed.counts);
  }
}

TEST_CASE("it begins like every compressed V2 histogram") {
  CHECK(hdr_base64(sample(1)).starts_with("HISTFAAA"));  // as in every HdrHistogram log
}

TEST_CASE("a damaged one is refused, wherever the damage is") {
  const std::string good = *from_base64(hdr_base64(sample(2)));
  for (std::size_t cut = 0; cut < good.size(); cut += 7) {
    CHECK_FALSE(counts_of_hdr(base64(good.substr(0, cut))));
  }
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x55);
    CAPTURE(at);
    CHECK_FALSE(counts_of_hdr(base64(bad)));  // zlib has a checksum
  }
  CHECK_FALSE(counts_of_hdr("no base64"));
}

}  // namespace
