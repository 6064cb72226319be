#include "proto_pg/wire/frontend.hpp"

#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <vector>

#include "tests/unit/wire/bytes.hpp"

namespace proto_pg::wire {
namespace {

using namespace test;

TEST_CASE("start-up messages") {
  CHECK(encoded(encode_ssl_request) == bytes("\0\0\0\x08\x04\xd2\x16\x2f"));
  const std::array<StartupParameter, 2> parameters{{{"user", "me"}, {"database", ""}}};
  CHECK(encoded(encode_startup, parameters) == bytes("\0\0\0\x1b\0\3\0\0"
                                                     "user\0me\0database\0\0\0"));
  CHECK(encoded(encode_cancel_request, 0x01020304, "\x0a\x0b\x0c\x0d") ==
        bytes("\0\0\0\x10\x04\xd2\x16\x2e\1\2\3\4\x0a\x0b\x0c\x0d"));
}

TEST_CASE("an empty start-up parameter name would end the list early") {
  SendBuffer out;
  const std::array<StartupParameter, 1> parameters{{{"", "x"}}};
  encode_startup(out, parameters);
  CHECK(out.error() == Errc::protocol_violation);
}

TEST_CASE("authentication messages") {
  CHECK(encoded(encode_password, "pw") == bytes("p\0\0\0\x07pw\0"));
  CHECK(encoded(encode_sasl_initial_response, "M", "n,,x") == bytes("p\0\0\0\x0eM\0\0\0\0\4n,,x"));
  CHECK(encoded(encode_sasl_response, "abc") == bytes("p\0\0\0\x07"
                                                      "abc"));
}

TEST_CASE("query messages") {
  CHECK(encoded(encode_query, "select") == bytes("Q\0\0\0\x0bselect\0"));
  const std::array<Oid, 2> types{oid::kInt8, oid::kFloat4};
  CHECK(encoded(encode_parse, "s1", "sql", types) == bytes("P\0\0\0\x15s1\0sql\0\0\2\0\0\0\x14\0\0\2\xbc"));
  CHECK(encoded(encode_describe_statement, "s1") == bytes("D\0\0\0\x08Ss1\0"));
  CHECK(encoded(encode_describe_portal, "") == bytes("D\0\0\0\6P\0"));
  CHECK(encoded(encode_execute, "p", 258) == bytes("E\0\0\0\x0ap\0\0\0\1\2"));
  CHECK(encoded(encode_close_statement, "s1") == bytes("C\0\0\0\x08Ss1\0"));
  CHECK(encoded(encode_close_portal, "p") == bytes("C\0\0\0\7Pp\0"));
  CHECK(encoded(encode_sync) == bytes("S\0\0\0\4"));
  CHECK(encoded(encode_flush) == bytes("H\0\0\0\4"));
  CHECK(encoded(encode_terminate) == bytes("X\0\0\0\4"));
}

TEST_CASE("copy messages") {
  CHECK(encoded(encode_copy_data, "1\t2\n") == bytes("d\0\0\0\x08"
                                                     "1\t2\n"));
  CHECK(encoded(encode_copy_done) == bytes("c\0\0\0\4"));
  CHECK(encoded(encode_copy_fail, "no") == bytes("f\0\0\0\7no\0"));
}

TEST_CASE("Bind with every kind of value") {
  SendBuffer out;
  constexpr auto kText = Format::text;
  constexpr auto kBinary = Format::binary;
  const std::array formats{kBinary, kBinary, kBinary, kText, kText, kText};
  BindWriter bind(out, "s1", formats);
  bind.put_int2(-1);
  bind.put_int4(2);
  bind.put_int8(3);
  bind.put_decimal(-45);
  bind.put_text("xy");
  bind.put_null();
  bind.finish(kBinary);
  const auto payload = bytes(
      "\0s1\0"
      "\0\6\0\1\0\1\0\1\0\0\0\0\0\0"
      "\0\6"
      "\0\0\0\2\xff\xff"
      "\0\0\0\4\0\0\0\2"
      "\0\0\0\x08\0\0\0\0\0\0\0\3"
      "\0\0\0\3-45"
      "\0\0\0\2xy"
      "\xff\xff\xff\xff"
      "\0\1\0\1");
  CHECK(out.view() == message('B', payload));
}

TEST_CASE("Bind without parameters") {
  SendBuffer out;
  BindWriter bind(out, "", {});
  bind.finish(Format::text);
  CHECK(out.view() == bytes("B\0\0\0\x0e\0\0\0\0\0\0\0\1\0\0"));
}

TEST_CASE("the longest decimal fits") {
  SendBuffer out;
  const std::array formats{Format::text};
  BindWriter bind(out, "", formats);
  bind.put_decimal(std::numeric_limits<std::int64_t>::min());
  bind.finish(Format::text);
  CHECK(out.view().find(bytes("\0\0\0\x14-9223372036854775808\0\1\0\0")) != std::string_view::npos);
}

// The counts are unsigned: 32,768 … 65,535 work, one more is refused instead of wrapping to 0.
TEST_CASE("65,535 parameters are sent, 65,536 refused") {
  for (const std::size_t count : {32768U, 65535U, 65536U}) {
    CAPTURE(count);
    SendBuffer out;
    const std::vector<Format> formats(count, Format::binary);
    BindWriter bind(out, "s", formats);
    for (std::size_t i = 0; i < count; ++i) bind.put_int4(7);
    bind.finish(Format::binary);
    if (count > 65535) {
      CHECK(out.error() == Errc::too_many_parameters);
      continue;
    }
    CHECK_FALSE(out.error());
    CHECK(out.size() == 5 + 3 + 2 + 2 * count + 2 + 8 * count + 4);
    CHECK(out.view().substr(1, 4) == i32(static_cast<std::int64_t>(out.size()) - 1));
    CHECK(out.view().substr(8, 2) == i16(static_cast<std::int64_t>(count)));
    CHECK(out.view().substr(10 + 2 * count, 2) == i16(static_cast<std::int64_t>(count)));
  }
}

TEST_CASE("65,536 declared types are refused") {
  SendBuffer out;
  const std::vector<Oid> types(65536, oid::kInt4);
  encode_parse(out, "s", "q", types);
  CHECK(out.error() == Errc::too_many_parameters);
}

TEST_CASE("every encoder refuses what would not fit its length word") {
  const char byte = 'x';
  const std::string_view huge(&byte, (std::size_t{1} << 32) + 8);
  const auto refused = [&](auto encode) {
    SendBuffer out;
    encode(out);
    return out.error() == Errc::message_too_large;
  };
  CHECK(refused([&](SendBuffer& out) { encode_query(out, huge); }));
  CHECK(refused([&](SendBuffer& out) { encode_parse(out, "s", huge, {}); }));
  CHECK(refused([&](SendBuffer& out) { encode_password(out, huge); }));
  CHECK(refused([&](SendBuffer& out) { encode_sasl_initial_response(out, "M", huge); }));
  CHECK(refused([&](SendBuffer& out) { encode_sasl_response(out, huge); }));
  CHECK(refused([&](SendBuffer& out) { encode_copy_data(out, huge); }));
  CHECK(refused([&](SendBuffer& out) { encode_copy_fail(out, huge); }));
  CHECK(refused([&](SendBuffer& out) {
    const std::array formats{Format::text};
    BindWriter bind(out, "s", formats);
    bind.put_text(huge);
    bind.finish(Format::text);
  }));
}

}  // namespace
}  // namespace proto_pg::wire
