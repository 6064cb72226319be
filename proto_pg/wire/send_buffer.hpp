#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <system_error>
#include <vector>

#include "proto_pg/wire/errc.hpp"

namespace proto_pg::wire {

/// Bytes to be sent, contiguous, big-endian, growing and never shrinking: warm, it does not allocate.
/// The first error sticks (a message or a count above its limit) and makes every later append void, so that
/// encoders need no checks of their own; nothing of a buffer with an error may be sent.
class SendBuffer {
 public:
  /// 1 GiB: what the server accepts (its own limit for one message).
  static constexpr std::size_t kMaxMessageBytes = std::size_t{1} << 30;

  void put_u8(std::uint8_t value) { put_raw(&value, 1); }
  void put_i16(std::int16_t value);
  void put_i32(std::int32_t value);
  void put_i64(std::int64_t value);
  void put_bytes(std::string_view bytes) { put_raw(bytes.data(), bytes.size()); }
  /// The text and a closing zero byte. A zero byte inside is a protocol_violation: it would end the text early.
  void put_cstring(std::string_view text);

  /// A 16-bit count (0..65,535); above it: too_many_parameters.
  void put_count(std::size_t count);

  /// Starts a message and leaves room for its length; ends with `end_message`, which fills it in.
  /// `type` 0 starts one of the messages that have no type byte (StartupMessage, SSLRequest, CancelRequest).
  std::size_t begin_message(char type);
  void end_message(std::size_t begin);

  /// Room for a 4-byte length that is filled in later (a parameter or column value).
  std::size_t begin_value();
  void end_value(std::size_t begin);

  void fail(Errc code) {
    if (!error_) error_ = code;
  }
  std::error_code error() const { return error_; }

  std::string_view view() const { return {data_.data(), size_}; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t capacity() const { return data_.size(); }
  /// Forgets the contents and the error, keeps the memory.
  void clear();

 private:
  void put_raw(const void* bytes, std::size_t count);
  void grow(std::size_t needed);

  std::vector<char> data_;
  std::size_t size_ = 0;
  std::error_code error_;
};

}  // namespace proto_pg::wire
