#include "proto_pg/wire/copy_format.hpp"

#include <doctest/doctest.h>

#include "proto_pg/wire/frontend.hpp"
#include "tests/unit/wire/bytes.hpp"

namespace proto_pg::wire {
namespace {

using namespace test;

TEST_CASE("a binary COPY stream of one message") {
  SendBuffer out;
  CopyBinaryWriter writer(out);
  const auto begin = out.begin_message('d');
  writer.header();
  writer.begin_row(4);
  writer.put_int4(-2);
  writer.put_int8(3);
  writer.put_text("xy");
  writer.put_null();
  writer.trailer();
  out.end_message(begin);
  CHECK(out.view() == message('d', bytes("PGCOPY\n\xff\r\n\0"
                                         "\0\0\0\0\0\0\0\0"
                                         "\0\4"
                                         "\0\0\0\4\xff\xff\xff\xfe"
                                         "\0\0\0\x08\0\0\0\0\0\0\0\3"
                                         "\0\0\0\2xy"
                                         "\xff\xff\xff\xff"
                                         "\xff\xff")));
}

// 65,535 columns would read as the trailer.
TEST_CASE("32,767 columns are the most") {
  SendBuffer out;
  CopyBinaryWriter writer(out);
  writer.begin_row(32767);
  CHECK(out.view() == bytes("\x7f\xff"));
  writer.begin_row(32768);
  CHECK(out.error() == Errc::too_many_parameters);
}

}  // namespace
}  // namespace proto_pg::wire
