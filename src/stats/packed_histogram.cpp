#include "src/stats/packed_histogram.hpp"

#include <string_view>
#include <vector>

namespace pgload::stats {
namespace {

constexpr int kLastByte = 8;  ///< the ninth carries eight bits: 8 x 7 + 8 = 64

void append_number(std::string& out, std::int64_t number) {
  // ZigZag: 0, -1, 1, -2 … become 0, 1, 2, 3 …
  auto bits = static_cast<std::uint64_t>(number) << 1U ^ static_cast<std::uint64_t>(number >> 63);
  for (int i = 0; i < kLastByte && bits >= 0x80; ++i) {
    out += static_cast<char>(bits | 0x80U);
    bits >>= 7U;
  }
  out += static_cast<char>(bits);
}

/// nullopt at the end of `bytes`, and where a number is cut off.
std::optional<std::int64_t> take_number(std::string_view& bytes) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i]));
    const bool last = i == kLastByte || byte < 0x80;
    bits |= (i == kLastByte ? byte : byte & 0x7FU) << (7U * i);
    if (last) {
      bytes.remove_prefix(i + 1);
      return static_cast<std::int64_t>(bits >> 1U ^ (~(bits & 1U) + 1));
    }
  }
  return std::nullopt;
}

}  // namespace

PackedHistogram pack(const LatencyHistogram& histogram) {
  PackedHistogram packed{{}, histogram.exact()};
  std::int64_t zeros = 0;
  for (const std::uint64_t count : histogram.counts()) {
    if (count == 0) {
      ++zeros;
      continue;
    }
    if (zeros > 0) {
      append_number(packed.counts, zeros == 1 ? 0 : -zeros);
    }
    zeros = 0;
    append_number(packed.counts, static_cast<std::int64_t>(count));
  }
  return packed;
}

std::optional<LatencyHistogram> unpack(const PackedHistogram& packed) {
  std::vector<std::uint64_t> counts;
  for (std::string_view rest = packed.counts; !rest.empty();) {
    const auto number = take_number(rest);
    if (!number) {
      return std::nullopt;
    }
    constexpr auto kMost = static_cast<std::int64_t>(LatencyHistogram::kMostCounts);
    const std::int64_t room = kMost - static_cast<std::int64_t>(counts.size());
    if (room == 0 || *number < -room) {
      return std::nullopt;
    }
    if (*number < 0) {
      counts.resize(counts.size() + static_cast<std::size_t>(-*number));
    } else {
      counts.push_back(static_cast<std::uint64_t>(*number));
    }
  }
  return LatencyHistogram::restored(counts, packed.exact);
}

}  // namespace pgload::stats
