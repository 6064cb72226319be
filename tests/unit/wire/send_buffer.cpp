#include "proto_pg/wire/send_buffer.hpp"

#include <doctest/doctest.h>

#include <string>

#include "proto_pg/wire/frontend.hpp"
#include "tests/unit/wire/bytes.hpp"

namespace proto_pg::wire {
namespace {

using namespace test;

TEST_CASE("integers are big-endian") {
  SendBuffer out;
  out.put_u8(0xfe);
  out.put_i16(-2);
  out.put_i32(0x01020304);
  out.put_i64(0x0102030405060708);
  CHECK(out.view() == bytes("\xfe\xff\xfe\x01\x02\x03\x04\x01\x02\x03\x04\x05\x06\x07\x08"));
}

TEST_CASE("texts, values and messages carry their lengths") {
  SendBuffer out;
  const auto begin = out.begin_message('x');
  out.put_cstring("ab");
  out.put_value("cde");
  const auto value = out.begin_value();
  out.put_u8('!');
  out.end_value(value);
  out.end_message(begin);
  CHECK(out.view() == bytes("x\0\0\0\x13"
                            "ab\0"
                            "\0\0\0\3cde"
                            "\0\0\0\1!"));
}

TEST_CASE("messages are counted over the buffer's life") {
  SendBuffer out;
  CHECK(out.messages() == 0);
  encode_query(out, "select 1");
  encode_sync(out);
  out.clear();
  CHECK(out.messages() == 2);
  encode_ssl_request(out);
  CHECK(out.messages() == 3);
}

TEST_CASE("a message without type byte starts with its length") {
  SendBuffer out;
  out.end_message(out.begin_message(0));
  CHECK(out.view() == bytes("\0\0\0\4"));
}

TEST_CASE("growth keeps what is there, clear keeps the memory") {
  SendBuffer out;
  std::string expected;
  for (int i = 0; i < 3000; ++i) {
    out.put_i32(i);
    expected += i32(i);
  }
  CHECK(out.view() == expected);
  const auto capacity = out.capacity();
  out.clear();
  CHECK(out.empty());
  CHECK(out.capacity() == capacity);
  out.put_bytes(expected);
  CHECK(out.view() == expected);
  CHECK(out.capacity() == capacity);
}

TEST_CASE("a 16-bit count holds 65,535 and refuses 65,536") {
  SendBuffer out;
  out.put_count(65535);
  CHECK(out.view() == bytes("\xff\xff"));
  CHECK_FALSE(out.error());
  out.put_count(65536);
  CHECK(out.error() == Errc::too_many_parameters);
}

TEST_CASE("the first error sticks and makes every later append void") {
  SendBuffer out;
  out.put_cstring("ab");
  const auto size = out.size();
  out.fail(Errc::too_many_parameters);
  out.fail(Errc::message_too_large);
  out.put_u8(1);
  out.put_i64(1);
  out.put_cstring("cd");
  out.put_value("ef");
  out.end_value(out.begin_value());
  out.end_message(out.begin_message('Q'));
  CHECK(out.size() == size);
  CHECK(out.error() == Errc::too_many_parameters);

  out.clear();
  CHECK_FALSE(out.error());
  out.put_u8(7);
  CHECK(out.view() == "\x07");
}

TEST_CASE("an error before the first byte voids too") {
  SendBuffer out;
  out.fail(Errc::protocol_violation);
  out.end_message(out.begin_message('Q'));
  CHECK(out.empty());
}

TEST_CASE("a zero byte inside a text is refused") {
  SendBuffer out;
  out.put_cstring(bytes("a\0b"));
  CHECK(out.error() == Errc::protocol_violation);
}

// The views below claim more bytes than they have: a check that came after the copy would crash.
TEST_CASE("sizes above the limit are refused before a byte is copied or memory is taken") {
  const char byte = 'x';
  const auto claim = [&](std::size_t size) { return std::string_view(&byte, size); };
  SendBuffer out;
  SUBCASE("one value larger than a message") { out.put_value(claim(SendBuffer::kMaxMessageBytes + 1)); }
  SUBCASE("beyond 32 bits: must not wrap") { out.put_value(claim((std::size_t{1} << 32) + 1)); }
  SUBCASE("a text beyond 32 bits") { out.put_cstring(claim((std::size_t{1} << 32) + 1)); }
  SUBCASE("plain bytes as large as the address space") { out.put_bytes(claim(~std::size_t{0})); }
  SUBCASE("a message that its last value lifts above the limit") {
    out.begin_message('B');
    out.put_value(claim(SendBuffer::kMaxMessageBytes - 7));
  }
  CHECK(out.error() == Errc::message_too_large);
  CHECK(out.capacity() <= 1024);
}

}  // namespace
}  // namespace proto_pg::wire
