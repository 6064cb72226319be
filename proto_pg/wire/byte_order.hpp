#pragma once

// The protocol's integers are big-endian and unaligned.

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace proto_pg::wire {

template <std::integral T>
constexpr T swap_to_big_endian(T value) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8);
  using Bits = std::make_unsigned_t<T>;
  const auto bits = static_cast<Bits>(value);
  if constexpr (std::endian::native == std::endian::big) {
    return value;
  } else if constexpr (sizeof(T) == 2) {
    return static_cast<T>(__builtin_bswap16(bits));
  } else if constexpr (sizeof(T) == 4) {
    return static_cast<T>(__builtin_bswap32(bits));
  } else {
    return static_cast<T>(__builtin_bswap64(bits));
  }
}

/// Reads sizeof(T) bytes at `from`.
template <std::integral T>
T load_big_endian(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return swap_to_big_endian(value);
}

/// Writes sizeof(T) bytes at `to`.
template <std::integral T>
void store_big_endian(char* to, T value) {
  value = swap_to_big_endian(value);
  std::memcpy(to, &value, sizeof value);
}

}  // namespace proto_pg::wire
