#include "proto_pg/wire/frontend.hpp"

#include <cassert>
#include <charconv>

namespace proto_pg::wire {
namespace {

// Request codes of the messages without a type byte (manual: "Message Formats").
constexpr std::int32_t kProtocolVersion3 = 196608;  // 3 << 16 | 0
constexpr std::int32_t kSslRequestCode = 80877103;
constexpr std::int32_t kCancelRequestCode = 80877102;

constexpr std::int32_t kNull = -1;  // the length of a value that is not there

/// A message that consists of its type alone.
void put_bare(SendBuffer& out, char type) {
  const char bytes[] = {type, 0, 0, 0, 4};
  out.put_whole_message({bytes, sizeof bytes});
}

/// A message whose whole content is bytes (length known beforehand by nobody: end_message fills it in).
void put_framed(SendBuffer& out, char type, std::string_view bytes) {
  const std::size_t begin = out.begin_message(type);
  out.put_bytes(bytes);
  out.end_message(begin);
}

/// A message whose whole content is one text.
void put_text_message(SendBuffer& out, char type, std::string_view text) {
  const std::size_t begin = out.begin_message(type);
  out.put_cstring(text);
  out.end_message(begin);
}

/// Describe and Close: `what` is 'S' for a statement, 'P' for a portal.
void put_named(SendBuffer& out, char type, char what, std::string_view name) {
  const std::size_t begin = out.begin_message(type);
  out.put_u8(static_cast<std::uint8_t>(what));
  out.put_cstring(name);
  out.end_message(begin);
}

/// Length and value in one append.
template <std::integral T>
void put_binary(SendBuffer& out, T value) {
  char bytes[4 + sizeof value];
  store_big_endian(bytes, static_cast<std::int32_t>(sizeof value));
  store_big_endian(bytes + 4, value);
  out.put_bytes({bytes, sizeof bytes});
}

}  // namespace

void encode_ssl_request(SendBuffer& out) {
  const std::size_t begin = out.begin_message(0);
  out.put_i32(kSslRequestCode);
  out.end_message(begin);
}

void encode_startup(SendBuffer& out, std::span<const StartupParameter> parameters) {
  const std::size_t begin = out.begin_message(0);
  out.put_i32(kProtocolVersion3);
  for (const auto& [name, value] : parameters) {
    if (name.empty()) out.fail(Errc::protocol_violation);  // an empty name ends the list
    out.put_cstring(name);
    out.put_cstring(value);
  }
  out.put_u8(0);
  out.end_message(begin);
}

void encode_cancel_request(SendBuffer& out, std::int32_t process_id, std::string_view secret_key) {
  const std::size_t begin = out.begin_message(0);
  out.put_i32(kCancelRequestCode);
  out.put_i32(process_id);
  out.put_bytes(secret_key);
  out.end_message(begin);
}

void encode_password(SendBuffer& out, std::string_view password) { put_text_message(out, 'p', password); }

void encode_sasl_initial_response(SendBuffer& out, std::string_view mechanism, std::string_view response) {
  const std::size_t begin = out.begin_message('p');
  out.put_cstring(mechanism);
  out.put_value(response);
  out.end_message(begin);
}

void encode_sasl_response(SendBuffer& out, std::string_view response) { put_framed(out, 'p', response); }

void encode_query(SendBuffer& out, std::string_view sql) { put_text_message(out, 'Q', sql); }

void encode_parse(SendBuffer& out, std::string_view statement, std::string_view sql,
                  std::span<const Oid> types) {
  const std::size_t begin = out.begin_message('P');
  out.put_cstring(statement);
  out.put_cstring(sql);
  out.put_count(types.size());
  for (const Oid type : types) out.put_i32(static_cast<std::int32_t>(type));
  out.end_message(begin);
}

void encode_describe_statement(SendBuffer& out, std::string_view statement) {
  put_named(out, 'D', 'S', statement);
}

void encode_describe_portal(SendBuffer& out, std::string_view portal) { put_named(out, 'D', 'P', portal); }

void encode_execute(SendBuffer& out, std::string_view portal, std::int32_t max_rows) {
  const std::size_t begin = out.begin_message('E');
  out.put_cstring(portal);
  out.put_i32(max_rows);
  out.end_message(begin);
}

void encode_close_statement(SendBuffer& out, std::string_view statement) {
  put_named(out, 'C', 'S', statement);
}

void encode_close_portal(SendBuffer& out, std::string_view portal) { put_named(out, 'C', 'P', portal); }

void encode_sync(SendBuffer& out) { put_bare(out, 'S'); }
void encode_flush(SendBuffer& out) { put_bare(out, 'H'); }
void encode_terminate(SendBuffer& out) { put_bare(out, 'X'); }

void encode_copy_data(SendBuffer& out, std::string_view bytes) { put_framed(out, 'd', bytes); }
void encode_copy_done(SendBuffer& out) { put_bare(out, 'c'); }
void encode_copy_fail(SendBuffer& out, std::string_view reason) { put_text_message(out, 'f', reason); }

// Bind: portal, statement, format count, formats, value count, (length, bytes)*, result format count,
// formats.
BindWriter::BindWriter(SendBuffer& out, std::string_view statement, std::span<const Format> formats)
    : out_(out), begin_(out.begin_message('B')), owed_(formats.size()) {
  out_.put_u8(0);  // the unnamed portal
  out_.put_cstring(statement);
  out_.put_count(formats.size());
  for (const Format format : formats) out_.put_i16(static_cast<std::int16_t>(format));
  out_.put_count(formats.size());
}

void BindWriter::owe_one_less() {
  assert(owed_ > 0 && "more values than formats");
  --owed_;
}

void BindWriter::put_null() {
  owe_one_less();
  out_.put_i32(kNull);
}

void BindWriter::put_int2(std::int16_t value) {
  owe_one_less();
  put_binary(out_, value);
}

void BindWriter::put_int4(std::int32_t value) {
  owe_one_less();
  put_binary(out_, value);
}

void BindWriter::put_int8(std::int64_t value) {
  owe_one_less();
  put_binary(out_, value);
}

void BindWriter::put_decimal(std::int64_t value) {
  char digits[20];  // "-9223372036854775808"
  const auto result = std::to_chars(digits, digits + sizeof digits, value);
  put_text({digits, static_cast<std::size_t>(result.ptr - digits)});
}

void BindWriter::put_text(std::string_view value) {
  owe_one_less();
  out_.put_value(value);
}

void BindWriter::finish(Format results) {
  assert(owed_ == 0 && "fewer values than formats");
  out_.put_count(1);
  out_.put_i16(static_cast<std::int16_t>(results));
  out_.end_message(begin_);
}

}  // namespace proto_pg::wire
