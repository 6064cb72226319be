#include "workloads/random/generator.hpp"

#define XXH_INLINE_ALL  // NOLINT: 16 bytes a row are not worth a call into the library
#include <xxhash.h>

#include <cassert>

namespace workloads::random {

namespace {

std::array<std::uint64_t, 4> expand(std::uint64_t seed) {
  std::array<std::uint64_t, 4> state{};
  for (auto& word : state) word = splitmix64(seed);
  return state;
}

/// Both words pass through the mixer, and for a given seed different streams start at different points.
std::uint64_t mix(std::uint64_t seed, std::uint64_t stream) {
  std::uint64_t point = splitmix64(seed) ^ stream;
  return splitmix64(point);
}

}  // namespace

std::uint64_t splitmix64(std::uint64_t& state) {
  std::uint64_t mixed = state += 0x9e3779b97f4a7c15;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  return mixed ^ (mixed >> 31);
}

Generator::Generator(std::uint64_t seed, std::uint64_t stream) : state_(expand(mix(seed, stream))) {}

std::int64_t Generator::between(std::int64_t low, std::int64_t high) {
  assert(low <= high);
  // All arithmetic is modulo 2^64; a range of 0 stands for all 2^64 values.
  const auto base = static_cast<std::uint64_t>(low);
  const std::uint64_t range = static_cast<std::uint64_t>(high) - base + 1;
  if (range == 0) return static_cast<std::int64_t>(next());
  __extension__ using Wide = unsigned __int128;
  Wide product = Wide{next()} * range;
  if (static_cast<std::uint64_t>(product) < range) {
    // 2^64 mod range low halves would make some values more frequent: draw again when one comes up.
    const std::uint64_t surplus = (0 - range) % range;
    while (static_cast<std::uint64_t>(product) < surplus) product = Wide{next()} * range;
  }
  return static_cast<std::int64_t>(base + static_cast<std::uint64_t>(product >> 64));
}

Generator row_generator(std::uint64_t seed, std::uint64_t table, std::uint64_t row) {
  std::array<unsigned char, 16> name{};
  for (unsigned i = 0; i < 8; ++i) {  // little-endian, so that every machine makes the same rows
    name[i] = static_cast<unsigned char>(table >> (8 * i));
    name[8 + i] = static_cast<unsigned char>(row >> (8 * i));
  }
  return Generator(expand(XXH3_64bits_withSeed(name.data(), name.size(), seed)));
}

}  // namespace workloads::random
