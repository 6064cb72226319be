// HdrHistogram's V2 encoding, as its Java library 2.1 writes it. All numbers are big-endian.
//
//   compressed: int32 cookie, int32 length, then `length` bytes of zlib that contain
//   plain:      int32 cookie, int32 length of the counts, int32 normalizing index offset, int32 digits,
//               int64 lowest, int64 highest trackable value, float64 conversion ratio, counts
#include "src/report/hdr_encoding.hpp"

#include <zlib.h>

#include <bit>
#include <concepts>
#include <cstdint>
#include <stdexcept>

#include "src/report/base64.hpp"

namespace pgload::report {
namespace {

using stats::LatencyHistogram;

constexpr std::uint32_t kWordSize = 0x10;  ///< says "LEB128" in a V2 cookie
constexpr std::uint32_t kPlainCookie = 0x1c849303 | kWordSize;
constexpr std::uint32_t kCompressedCookie = 0x1c849304 | kWordSize;
constexpr std::size_t kHeaderBytes = 40;
constexpr std::size_t kMostCountBytes = 9 * LatencyHistogram::kMostCounts;

template <std::unsigned_integral T>
void append(std::string& out, T number) {
  for (std::size_t i = sizeof(T); i-- > 0;) {
    out += static_cast<char>(number >> (8 * i));
  }
}

template <std::unsigned_integral T>
T take(std::string_view& bytes) {
  T number = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    number = static_cast<T>(number << 8U | static_cast<unsigned char>(bytes[i]));
  }
  bytes.remove_prefix(sizeof(T));
  return number;
}

std::string header_for(std::size_t count_bytes) {
  std::string header;
  append(header, kPlainCookie);
  append(header, static_cast<std::uint32_t>(count_bytes));
  append(header, std::uint32_t{0});
  append(header, std::uint32_t{LatencyHistogram::kSignificantDigits});
  append(header, std::uint64_t{1});
  append(header, std::uint64_t{LatencyHistogram::kHighestTrackable});
  append(header, std::bit_cast<std::uint64_t>(1.0));
  return header;
}

const Bytef* zbytes(std::string_view text) { return reinterpret_cast<const Bytef*>(text.data()); }
Bytef* zbytes(std::string& text) { return reinterpret_cast<Bytef*>(text.data()); }

std::string deflated(std::string_view plain) {
  std::string out(compressBound(plain.size()), '\0');
  uLongf size = out.size();
  if (compress(zbytes(out), &size, zbytes(plain), plain.size()) != Z_OK) {
    throw std::runtime_error("not enough memory to compress a histogram");
  }
  out.resize(size);
  return out;
}

std::optional<std::string> inflated(std::string_view compressed) {
  std::string out(kHeaderBytes + kMostCountBytes, '\0');  // what is longer is none of ours
  uLongf size = out.size();
  if (uncompress(zbytes(out), &size, zbytes(compressed), compressed.size()) != Z_OK) {
    return std::nullopt;
  }
  out.resize(size);
  return out;
}

}  // namespace

std::string hdr_base64(const stats::PackedHistogram& packed) {
  const std::string payload = deflated(header_for(packed.counts.size()) + packed.counts);
  std::string out;
  append(out, kCompressedCookie);
  append(out, static_cast<std::uint32_t>(payload.size()));
  return base64(out + payload);
}

std::optional<std::string> counts_of_hdr(std::string_view text) {
  const auto bytes = from_base64(text);
  if (!bytes || bytes->size() < 8) {
    return std::nullopt;
  }
  std::string_view rest = *bytes;
  if (take<std::uint32_t>(rest) != kCompressedCookie || take<std::uint32_t>(rest) != rest.size()) {
    return std::nullopt;
  }
  auto plain = inflated(rest);
  if (!plain || plain->size() < kHeaderBytes ||
      !plain->starts_with(header_for(plain->size() - kHeaderBytes))) {
    return std::nullopt;
  }
  plain->erase(0, kHeaderBytes);
  return plain;
}

}  // namespace pgload::report
