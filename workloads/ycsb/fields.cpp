#include "workloads/ycsb/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace workloads::ycsb {

namespace {

/// Java's String.hashCode, then what HashMap makes of it.
std::uint32_t spread_hash(std::string_view text) {
  std::uint32_t hash = 0;
  for (const char c : text) hash = 31 * hash + static_cast<unsigned char>(c);
  return hash ^ hash >> 16;
}

/// A HashMap doubles when it is three quarters full.
std::uint32_t buckets_for(std::uint64_t count) {
  std::uint32_t buckets = 16;
  while (count > buckets / 4 * 3) buckets *= 2;
  return buckets;
}

}  // namespace

std::vector<std::string> field_names(std::string_view prefix, std::uint64_t count) {
  std::vector<std::string> names;
  for (std::uint64_t i = 0; i < count; ++i) names.push_back(fmt::format("{}{}", prefix, i));
  const std::uint32_t mask = buckets_for(count) - 1;
  std::ranges::stable_sort(names, {}, [mask](const std::string& name) { return spread_hash(name) & mask; });
  return names;
}

void append_random_text(std::string& out, std::size_t bytes, random::Generator& random) {
  const std::size_t end = out.size() + bytes;
  while (out.size() < end) {
    const auto bits = static_cast<std::uint32_t>(random.next() >> 32);
    const std::array<std::uint32_t, 6> group{bits & 31,       bits >> 5 & 63,  bits >> 10 & 95,
                                             bits >> 15 & 31, bits >> 20 & 63, bits >> 25 & 95};
    for (const std::uint32_t value : group)
      if (out.size() < end) out += static_cast<char>(value + 32);
  }
}

FieldLength::FieldLength(Distribution distribution, std::uint64_t shortest, std::uint64_t longest)
    : distribution_(distribution), shortest_(shortest), longest_(longest), ranks_(longest - shortest + 1) {}

std::size_t FieldLength::draw(random::Generator& random) const {
  switch (distribution_) {
    case Distribution::uniform:
      return static_cast<std::size_t>(
          random.between(static_cast<std::int64_t>(shortest_), static_cast<std::int64_t>(longest_)));
    case Distribution::zipfian:
      return shortest_ + ranks_.rank(random.unit());
    case Distribution::constant:
      break;
  }
  return longest_;
}

}  // namespace workloads::ycsb
