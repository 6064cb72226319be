#include "workloads/random/text_template.hpp"

#include <array>
#include <cassert>
#include <cstdint>
#include <cstring>

namespace workloads::random {

namespace {

constexpr std::size_t kDigitsPerDraw = 16;
constexpr std::uint64_t kDraw = 10'000'000'000'000'000;  // 10^kDigitsPerDraw
/// The largest multiple of 10^16 below 2^64: draws from there on (one in 2,400) would favour low digits.
constexpr std::uint64_t kAccepted = 1844 * kDraw;

/// "00" to "99".
constexpr std::array<char, 200> kPairs = [] {
  std::array<char, 200> pairs{};
  for (std::size_t i = 0; i < 100; ++i) {
    pairs[2 * i] = static_cast<char>('0' + i / 10);
    pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return pairs;
}();

/// Eight digits of `value` (< 10^8), from two halves that the processor can divide side by side.
void write_eight(std::uint32_t value, char* out) {
  const std::uint32_t high = value / 10'000;
  const std::uint32_t low = value % 10'000;
  std::memcpy(out, &kPairs[2 * (high / 100)], 2);
  std::memcpy(out + 2, &kPairs[2 * (high % 100)], 2);
  std::memcpy(out + 4, &kPairs[2 * (low / 100)], 2);
  std::memcpy(out + 6, &kPairs[2 * (low % 100)], 2);
}

void draw_digits(Generator& generator, char* out) {
  std::uint64_t draw = generator.next();
  while (draw >= kAccepted) draw = generator.next();
  draw %= kDraw;
  write_eight(static_cast<std::uint32_t>(draw / 100'000'000), out);
  write_eight(static_cast<std::uint32_t>(draw % 100'000'000), out + 8);
}

}  // namespace

void fill_template(std::string_view pattern, Generator& generator, std::span<char> out) {
  assert(out.size() == pattern.size());
  std::array<char, kDigitsPerDraw> digits;
  std::size_t used = kDigitsPerDraw;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '#') {
      out[i] = pattern[i];
      continue;
    }
    if (used == kDigitsPerDraw) {
      draw_digits(generator, digits.data());
      used = 0;
    }
    out[i] = digits[used++];
  }
}

}  // namespace workloads::random
