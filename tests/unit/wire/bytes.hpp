#pragma once

// Byte strings for the tests of the codec: written out by hand, so that no encoder checks itself.

#include <cstdint>
#include <ostream>  // doctest shows a std::error_code with it
#include <string>
#include <string_view>

#include "proto_pg/wire/send_buffer.hpp"

namespace proto_pg::wire::test {

/// A literal with zero bytes inside: bytes("a\0b").
template <std::size_t N>
std::string bytes(const char (&literal)[N]) {
  return std::string(literal, N - 1);
}

// (A literal + std::string&& makes GCC 12 warn of an overlap that is none: start with u8.)
inline std::string u8(unsigned value) { return std::string(1, static_cast<char>(value)); }
inline std::string i16(std::int64_t value) {
  return u8(static_cast<unsigned>(value >> 8 & 0xff)) + u8(static_cast<unsigned>(value & 0xff));
}
inline std::string i32(std::int64_t value) { return i16(value >> 16) + i16(value); }
inline std::string z(std::string_view text) { return std::string(text) + '\0'; }

/// A whole message.
inline std::string message(char type, std::string_view payload) {
  return std::string(1, type) + i32(static_cast<std::int64_t>(payload.size()) + 4) + std::string(payload);
}

/// What `encode(SendBuffer&, arguments…)` appends.
template <typename Encoder, typename... Arguments>
std::string encoded(Encoder encode, const Arguments&... arguments) {
  SendBuffer out;
  encode(out, arguments...);
  return std::string(out.view());
}

}  // namespace proto_pg::wire::test
