#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace proto_pg::wire {

/// A five-character SQLSTATE packed into 32 bits (manual: "PostgreSQL Error Codes"), 0 = success. Six bits a
/// character: '0'..'9' and 'A'..'Z' are 1..36.
class SqlState {
 public:
  constexpr SqlState() = default;

  /// Anything but five characters of [0-9A-Z] gives `missing()`: an error without a usable code.
  static constexpr SqlState parse(std::string_view text);

  /// An ErrorResponse that carried no (valid) code.
  static constexpr SqlState missing() { return SqlState{0x3fffffff}; }

  constexpr bool ok() const { return packed_ == 0; }
  constexpr std::uint32_t packed() const { return packed_; }

  /// The five characters; "-----" for `missing()`, "00000" for success.
  constexpr std::array<char, 5> text() const;

  /// True if the first two characters are `class_code`, e.g. "08".
  constexpr bool in_class(std::string_view class_code) const;

  friend constexpr bool operator==(SqlState, SqlState) = default;

 private:
  constexpr explicit SqlState(std::uint32_t packed) : packed_(packed) {}
  std::uint32_t packed_ = 0;
};

constexpr SqlState SqlState::parse(std::string_view text) {
  if (text.size() != 5) return missing();
  std::uint32_t packed = 0;
  for (const char c : text) {
    std::uint32_t digit = 0;
    if (c >= '0' && c <= '9') {
      digit = static_cast<std::uint32_t>(c - '0') + 1;
    } else if (c >= 'A' && c <= 'Z') {
      digit = static_cast<std::uint32_t>(c - 'A') + 11;
    } else {
      return missing();
    }
    packed = packed << 6 | digit;
  }
  return SqlState{packed};
}

constexpr std::array<char, 5> SqlState::text() const {
  if (ok()) return {'0', '0', '0', '0', '0'};
  if (*this == missing()) return {'-', '-', '-', '-', '-'};
  std::array<char, 5> out{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint32_t digit = packed_ >> (6 * (out.size() - 1 - i)) & 0x3f;
    out[i] = static_cast<char>(digit <= 10 ? '0' + digit - 1 : 'A' + digit - 11);
  }
  return out;
}

constexpr bool SqlState::in_class(std::string_view class_code) const {
  const auto characters = text();
  return std::string_view(characters.data(), 2) == class_code;
}

namespace sqlstate {
inline constexpr SqlState kDeadlockDetected = SqlState::parse("40P01");
inline constexpr SqlState kSerializationFailure = SqlState::parse("40001");
inline constexpr SqlState kInvalidPassword = SqlState::parse("28P01");
inline constexpr SqlState kInvalidAuthorization = SqlState::parse("28000");
inline constexpr SqlState kTooManyConnections = SqlState::parse("53300");
inline constexpr SqlState kQueryCanceled = SqlState::parse("57014");
}  // namespace sqlstate

}  // namespace proto_pg::wire
