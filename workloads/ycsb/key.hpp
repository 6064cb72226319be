#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace workloads::ycsb {

/// FNV-1a, 64 bits, over the 8 bytes of `number`, low byte first, then the absolute value of the result as a
/// signed number (YCSB's Utils.hash; Fowler, Noll, Vo: "The FNV Non-Cryptographic Hash Algorithm", RFC 9923).
std::uint64_t hash(std::uint64_t number);

/// How key numbers become keys.
struct KeyFormat {
  bool hashed = true;         ///< insertorder=hashed: neighbours in number are strewn over the table
  unsigned zero_padding = 1;  ///< digits at least, at most KeyText::kMaxDigits
};

/// The key of one number: "user6284781860667377211".
class KeyText {
 public:
  static constexpr unsigned kMaxDigits = 200;

  KeyText(std::uint64_t number, const KeyFormat& format);
  std::string_view view() const { return {text_.data() + begin_, kSize - begin_}; }

 private:
  static constexpr std::string_view kPrefix = "user";
  static constexpr std::size_t kSize = kPrefix.size() + kMaxDigits;
  std::array<char, kSize> text_;
  std::size_t begin_;  ///< written from the end
};

}  // namespace workloads::ycsb
