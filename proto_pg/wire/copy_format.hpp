#pragma once

#include <cstdint>
#include <string_view>

#include "proto_pg/wire/send_buffer.hpp"

namespace proto_pg::wire {

/// Rows in the format of COPY … WITH (FORMAT binary) (manual: COPY, "Binary Format"). It appends contents
/// only: the caller frames as many rows as it likes into one CopyData message.
///
///     const auto begin = out.begin_message('d');
///     writer.begin_row(2);
///     writer.put_int4(1);
///     writer.put_text("a");
///     out.end_message(begin);
class CopyBinaryWriter {
 public:
  explicit CopyBinaryWriter(SendBuffer& out) : out_(out) {}

  /// Signature, flags, empty extension: once, inside the first CopyData.
  void header();
  /// The file trailer (field count -1): once, inside the last CopyData.
  void trailer();

  /// At most 32,767 columns (more: too_many_parameters): the count is signed, -1 is the trailer.
  void begin_row(std::size_t columns);
  void put_null();
  void put_int4(std::int32_t value);
  void put_int8(std::int64_t value);
  void put_text(std::string_view value);

 private:
  SendBuffer& out_;
};

}  // namespace proto_pg::wire
