#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <system_error>
#include <vector>

#include "proto_pg/wire/byte_order.hpp"
#include "proto_pg/wire/errc.hpp"

namespace proto_pg::wire {

/// Bytes to be sent, contiguous, big-endian, growing and never shrinking: warm, it does not allocate.
/// The first error sticks (a message, a count or the whole batch above its limit) and makes every later
/// append void, so that encoders need no checks of their own; nothing of a buffer with an error may be sent.
class SendBuffer {
 public:
  /// Largest value of a message's length word: the server's own limit for one message
  /// (PQ_LARGE_MESSAGE_LIMIT, two bytes less than 1 GiB). The buffer as a whole holds no more than one such
  /// message.
  static constexpr std::size_t kMaxMessageBytes = 0x3ffffffe;

  SendBuffer() = default;
  SendBuffer(const SendBuffer&) = delete;
  SendBuffer& operator=(const SendBuffer&) = delete;

  void put_u8(std::uint8_t value) { put_raw(&value, 1); }
  void put_i16(std::int16_t value) { put_integer(value); }
  void put_i32(std::int32_t value) { put_integer(value); }
  void put_i64(std::int64_t value) { put_integer(value); }
  void put_bytes(std::string_view bytes) {
    if (!bytes.empty()) put_raw(bytes.data(), bytes.size());
  }
  /// The text and a closing zero byte. A zero byte inside is a protocol_violation: it would end the text
  /// early.
  void put_cstring(std::string_view text);

  /// A 16-bit count (0..65,535); above it: too_many_parameters.
  void put_count(std::size_t count);

  /// A 32-bit length and the bytes: a parameter's or a column's value.
  void put_value(std::string_view value);

  /// Starts a message and leaves room for its length; ends with `end_message`, which fills it in.
  /// `type` 0 starts one of the messages that have no type byte (StartupMessage, SSLRequest, CancelRequest).
  std::size_t begin_message(char type);
  void end_message(std::size_t begin);

  /// A message that is complete, with its type and length.
  void put_whole_message(std::string_view bytes) {
    ++messages_;
    put_bytes(bytes);
  }

  /// Several such.
  void put_whole_messages(std::string_view bytes, std::uint64_t count) {
    messages_ += count;
    put_bytes(bytes);
  }

  /// Room for a 4-byte length that is filled in later (a parameter or column value).
  std::size_t begin_value();
  void end_value(std::size_t begin);

  void fail(Errc code);
  std::error_code error() const { return error_; }

  std::string_view view() const { return {data_.data(), size_}; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t capacity() const { return data_.size(); }
  /// Messages that were begun since the buffer was made, whatever was cleared in between.
  std::uint64_t messages() const { return messages_; }
  /// Forgets the contents and the error, keeps the memory.
  void clear();

 private:
  void put_raw(const void* bytes, std::size_t count) {
    if (count > limit_ - size_ && !grow(count)) [[unlikely]]
      return;
    std::memcpy(data_.data() + size_, bytes, count);
    size_ += count;
  }

  template <std::integral T>
  void put_integer(T value) {
    value = swap_to_big_endian(value);
    put_raw(&value, sizeof value);
  }

  /// Makes room for `count` more bytes; false (and nothing may be written) once there is an error.
  bool grow(std::size_t count);

  std::vector<char> data_;
  std::size_t size_ = 0;
  std::uint64_t messages_ = 0;
  /// Bytes that may be in use: data_.size(), or size_ after an error, so that one comparison finds both a
  /// full and a failed buffer.
  std::size_t limit_ = 0;
  std::error_code error_;
};

}  // namespace proto_pg::wire
