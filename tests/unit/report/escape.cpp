#include "src/report/escape.hpp"

#include <doctest/doctest.h>

namespace {

using namespace pgload::report;

TEST_CASE("valid text stays as it is") {
  const std::string text = "caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x90\x98 ~";
  CHECK(visible(text) == text);
  CHECK(valid_utf8(text) == text);
  CHECK(display_width(text) == 10);
}

TEST_CASE("what a terminal obeys is spelled out") {
  CHECK(visible("a\nb\tc\rd") == "a\\nb\\tc\\rd");
  CHECK(visible("\x1b[2J\x7f") == "\\x1b[2J\\x7f");
  CHECK(visible(std::string_view("\0", 1)) == "\\x00");
  CHECK(visible("\xC2\x9B") == "\\u009b");                  // C1: the one-character form of ESC [
  CHECK(visible("\xE2\x80\xAE") == "\\u202e");              // right-to-left override
  CHECK(valid_utf8("\x1b\n\xC2\x9B") == "\x1b\n\xC2\x9B");  // JSON escapes these by itself
}

TEST_CASE("bytes that are not UTF-8 are spelled out, one by one") {
  for (const auto& text_of : {+[](std::string_view text) { return visible(text); }, &valid_utf8}) {
    CHECK(text_of("\xE9") == "\\xE9");    // Latin-1
    CHECK(text_of("\x80z") == "\\x80z");  // continuation without a lead
    CHECK(text_of("\xC3") == "\\xC3");    // cut
    CHECK(text_of("\xE2\x82z") == "\\xE2\\x82z");
    CHECK(text_of("\xC0\xAF") == "\\xC0\\xAF");  // overlong
    CHECK(text_of("\xE0\x80\xAF") == "\\xE0\\x80\\xAF");
    CHECK(text_of("\xF0\x80\x80\xAF") == "\\xF0\\x80\\x80\\xAF");
    CHECK(text_of("\xED\xA0\x80") == "\\xED\\xA0\\x80");           // surrogate
    CHECK(text_of("\xF4\x90\x80\x80") == "\\xF4\\x90\\x80\\x80");  // beyond U+10FFFF
    CHECK(text_of("\xF5z\xFF") == "\\xF5z\\xFF");
  }
}

TEST_CASE("long text is cut between characters, and its size told") {
  CHECK(visible("abc", 3) == "abc");
  CHECK(visible("abcd", 3) == "abc... [4 bytes]");
  CHECK(visible("\xC3\xA9\xC3\xA9\xC3\xA9", 2) == "\xC3\xA9\xC3\xA9... [6 bytes]");
  CHECK(visible(std::string(1 << 20, 'x')) == std::string(200, 'x') + "... [1,048,576 bytes]");
}

}  // namespace
