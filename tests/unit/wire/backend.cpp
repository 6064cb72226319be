#include "proto_pg/wire/backend.hpp"

#include <doctest/doctest.h>

#include "tests/unit/wire/bytes.hpp"

namespace proto_pg::wire {
namespace {

using namespace test;
using Status = Framed::Status;

TEST_CASE("a message is found however the bytes are cut") {
  const auto stream = message('C', z("SELECT 1")) + message('Z', "I");
  const std::size_t first = 5 + 9;
  for (std::size_t cut = 0; cut <= stream.size(); ++cut) {
    CAPTURE(cut);
    const auto found = next_message(std::string_view(stream).substr(0, cut), kMaxReplyBytes);
    if (cut < first) {
      CHECK(found.status == Status::incomplete);
      CHECK(found.bytes == (cut < 5 ? 5 : first));
    } else {
      CHECK(found.status == Status::complete);
      CHECK(found.bytes == first);
      CHECK(found.message.type == 'C');
      CHECK(found.message.payload == z("SELECT 1"));
    }
  }
}

TEST_CASE("an empty payload") {
  const auto found = next_message(message('1', ""), kMaxReplyBytes);
  CHECK(found.status == Status::complete);
  CHECK(found.message.payload.empty());
}

TEST_CASE("lengths that can't be") {
  const auto announce = [](std::int64_t length, std::size_t limit) {
    return next_message(u8('D') + i32(length), limit);
  };
  for (const std::int64_t length : {0LL, 3LL, -1LL, -2147483648LL}) {
    CAPTURE(length);
    CHECK(announce(length, kMaxReplyBytes).status == Status::error);
    CHECK(announce(length, kMaxReplyBytes).error == Errc::protocol_violation);
  }
  CHECK(announce(2147483647, kMaxReplyBytes).error == Errc::message_too_large);
  CHECK(announce(kMaxReplyBytes, kMaxReplyBytes).status == Status::incomplete);
  CHECK(announce(kMaxReplyBytes + 1, kMaxReplyBytes).error == Errc::message_too_large);
  CHECK(announce(kMaxStartupReplyBytes, kMaxStartupReplyBytes).status == Status::incomplete);
  CHECK(announce(kMaxStartupReplyBytes + 1, kMaxStartupReplyBytes).error == Errc::message_too_large);
}

TEST_CASE("a row's columns") {
  const auto payload = i16(3) + i32(2) + "ab" + i32(-1) + i32(0);
  REQUIRE(RowView::valid(payload));
  RowView row(payload);
  CHECK(row.size() == 3);
  CHECK(row.next() == "ab");
  CHECK(row.next() == std::nullopt);
  CHECK(row.next() == "");
}

TEST_CASE("rows that do not add up are not valid") {
  CHECK(RowView::valid(i16(0)));
  CHECK_FALSE(RowView::valid(""));
  CHECK_FALSE(RowView::valid("\x01"));
  CHECK_FALSE(RowView::valid(i16(0) + "x"));
  CHECK_FALSE(RowView::valid(i16(1)));
  CHECK_FALSE(RowView::valid(i16(1) + bytes("\0\0\0")));
  CHECK_FALSE(RowView::valid(i16(1) + i32(3) + "ab"));
  CHECK_FALSE(RowView::valid(i16(1) + i32(1) + "ab"));
  CHECK_FALSE(RowView::valid(i16(1) + i32(-2)));
  CHECK_FALSE(RowView::valid(i16(2) + i32(2147483647) + i32(-1)));
  CHECK_FALSE(RowView::valid(i16(-1) + i32(-1)));
}

std::string column(std::string_view name, std::int64_t format) {
  return z(name) + i32(9) + i16(1) + i32(oid::kInt8) + i16(8) + i32(-1) + i16(format);
}

TEST_CASE("a row description's columns") {
  const std::string payload = i16(2) + column("id", 1) + column("", 0);
  RowDescriptionView walk(payload);
  CHECK(walk.size() == 2);
  const auto first = walk.next();
  REQUIRE(first.has_value());
  CHECK(first->name == "id");
  CHECK(first->type == oid::kInt8);
  CHECK(first->type_modifier == -1);
  CHECK(first->format == Format::binary);
  const auto second = walk.next();
  REQUIRE(second.has_value());
  CHECK(second->name == "");
  CHECK(second->format == Format::text);
  CHECK_FALSE(walk.next().has_value());
  CHECK_FALSE(walk.bad());
}

bool description_is_bad(const std::string& payload) {
  RowDescriptionView view(payload);
  while (view.next()) {
  }
  return view.bad();
}

TEST_CASE("malformed row descriptions") {
  CHECK_FALSE(description_is_bad(i16(0)));
  CHECK(description_is_bad(""));
  CHECK(description_is_bad(i16(0) + "x"));
  CHECK(description_is_bad(i16(1) + "no end"));
  CHECK(description_is_bad(i16(1) + column("a", 2)));
  CHECK(description_is_bad(i16(1) + column("a", 0) + "x"));
  const auto whole = i16(2) + column("a", 0) + column("b", 0);
  for (std::size_t cut = 0; cut < whole.size(); ++cut) CHECK(description_is_bad(whole.substr(0, cut)));
  CHECK_FALSE(description_is_bad(whole));
}

TEST_CASE("parameter descriptions") {
  const auto payload = i16(2) + i32(23) + i32(4000000000);
  ParameterDescriptionView view(payload);
  CHECK_FALSE(view.bad());
  CHECK(view.next() == 23);
  CHECK(view.next() == 4000000000);
  CHECK(view.next() == std::nullopt);
  CHECK(ParameterDescriptionView("").bad());
  CHECK(ParameterDescriptionView(i16(1)).bad());
  CHECK(ParameterDescriptionView(i16(1) + i32(1) + "x").bad());
  CHECK_FALSE(ParameterDescriptionView(i16(0)).bad());
}

TEST_CASE("small messages") {
  const auto payload = z("TimeZone") + z("");
  const auto status = decode_parameter_status(payload);
  REQUIRE(status.has_value());
  CHECK(status->name == "TimeZone");
  CHECK(status->value == "");
  CHECK_FALSE(decode_parameter_status(z("a")).has_value());
  CHECK_FALSE(decode_parameter_status(z("a") + "b").has_value());
  CHECK_FALSE(decode_parameter_status(z("a") + z("b") + "c").has_value());

  const auto key_bytes = i32(77) + "abcd";
  const auto key = decode_backend_key_data(key_bytes);
  REQUIRE(key.has_value());
  CHECK(key->process_id == 77);
  CHECK(key->secret_key == "abcd");
  CHECK_FALSE(decode_backend_key_data(i32(77) + "abc").has_value());
  CHECK(decode_backend_key_data(i32(77) + std::string(256, 'k')).has_value());
  CHECK_FALSE(decode_backend_key_data(i32(77) + std::string(257, 'k')).has_value());

  CHECK(decode_ready_for_query("T") == 'T');
  CHECK_FALSE(decode_ready_for_query("").has_value());
  CHECK_FALSE(decode_ready_for_query("X").has_value());
  CHECK_FALSE(decode_ready_for_query("II").has_value());
}

TEST_CASE("row counts of command tags") {
  const auto rows = [](std::string_view tag) { return decode_command_complete(z(tag)); };
  CHECK(rows("INSERT 0 5") == 5);
  CHECK(rows("SELECT 3") == 3);
  CHECK(rows("UPDATE 18446744073709551615") == 18446744073709551615U);
  CHECK(rows("UPDATE 18446744073709551616") == 0);
  CHECK(rows("BEGIN") == 0);
  CHECK(rows("CREATE TABLE") == 0);
  CHECK(rows("COPY 7x") == 0);
  CHECK(rows("COPY -7") == 0);
  CHECK(rows("COPY ") == 0);
  CHECK(rows("") == 0);
  CHECK_FALSE(decode_command_complete("").has_value());
  CHECK_FALSE(decode_command_complete("SELECT 1").has_value());
  CHECK_FALSE(decode_command_complete(bytes("SELECT\0001\0")).has_value());
}

}  // namespace
}  // namespace proto_pg::wire
