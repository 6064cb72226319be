#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace proto_pg::client {

/// C's isspace() without a locale: what separates keyword=value pairs.
constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Length of "postgresql://" or "postgres://" if `text` begins so, else 0.
std::size_t uri_prefix_length(std::string_view text);

/// False if a '%' is not followed by two hexadecimal digits, or by 00; `result` then ends before it.
bool percent_decode(std::string_view text, std::string& result);

/// Walks through keyword=value pairs, and says where they stand.
class PairScanner {
 public:
  enum class Problem : std::uint8_t { none, no_equals_sign, open_quote };

  struct Pair {
    std::string_view name;
    std::string value;  ///< without quotes and backslashes
    std::size_t name_begin = 0;
    std::size_t value_begin = 0;  ///< of the raw value, inside its quotes
    std::size_t value_end = 0;
    bool quoted = false;
  };

  explicit PairScanner(std::string_view text) : text_(text) {}

  /// After a problem the pair is what was found up to it; the next one begins at the word behind.
  Pair next();
  bool ended() const { return ended_; }
  Problem problem() const { return problem_; }

 private:
  void skip_spaces() {
    while (position_ < text_.size() && is_space(text_[position_])) ++position_;
  }

  std::string_view text_;
  std::size_t position_ = 0;
  bool ended_ = false;
  Problem problem_ = Problem::none;
};

}  // namespace proto_pg::client
