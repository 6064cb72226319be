#include "proto_pg/wire/send_buffer.hpp"

#include <algorithm>
#include <limits>

namespace proto_pg::wire {
namespace {

constexpr std::size_t kFirstCapacity = 512;  // a Bind, an Execute and a Sync fit several times
constexpr std::size_t kLengthBytes = 4;
// Of the whole buffer, so that a limit holds before memory is taken: one largest message and its type.
constexpr std::size_t kMaxBytes = SendBuffer::kMaxMessageBytes + 1;

}  // namespace

bool SendBuffer::grow(std::size_t count) {
  if (error_) return false;
  if (count > kMaxBytes - size_) {
    fail(Errc::message_too_large);
    return false;
  }
  data_.resize(std::min(kMaxBytes, std::max({kFirstCapacity, 2 * data_.size(), size_ + count})));
  limit_ = data_.size();
  return true;
}

void SendBuffer::fail(Errc code) {
  if (error_) return;
  error_ = code;
  limit_ = size_;
}

void SendBuffer::clear() {
  size_ = 0;
  limit_ = data_.size();
  if (error_) error_.clear();
}

void SendBuffer::put_cstring(std::string_view text) {
  if (text.size() > kMaxMessageBytes) return fail(Errc::message_too_large);
  if (text.find('\0') != std::string_view::npos) return fail(Errc::protocol_violation);
  put_bytes(text);
  put_u8(0);
}

void SendBuffer::put_count(std::size_t count) {
  if (count > std::numeric_limits<std::uint16_t>::max()) return fail(Errc::too_many_parameters);
  put_integer(static_cast<std::uint16_t>(count));
}

void SendBuffer::put_value(std::string_view value) {
  if (value.size() > kMaxMessageBytes) return fail(Errc::message_too_large);
  put_i32(static_cast<std::int32_t>(value.size()));
  put_bytes(value);
}

std::size_t SendBuffer::begin_message(char type) {
  ++messages_;
  if (type != 0) put_u8(static_cast<std::uint8_t>(type));
  return begin_value();
}

void SendBuffer::end_message(std::size_t begin) {
  if (error_) return;
  const std::size_t length = size_ - begin;  // the length word counts itself
  if (length > kMaxMessageBytes) return fail(Errc::message_too_large);
  store_big_endian(data_.data() + begin, static_cast<std::int32_t>(length));
}

std::size_t SendBuffer::begin_value() {
  const std::size_t begin = size_;
  put_i32(0);
  return begin;
}

void SendBuffer::end_value(std::size_t begin) {
  if (error_) return;
  const std::size_t length = size_ - begin - kLengthBytes;
  if (length > kMaxMessageBytes) return fail(Errc::message_too_large);
  store_big_endian(data_.data() + begin, static_cast<std::int32_t>(length));
}

}  // namespace proto_pg::wire
