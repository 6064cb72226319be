#pragma once

#include <cstdint>
#include <string_view>

#include "proto_pg/wire/send_buffer.hpp"

namespace proto_pg::wire {

/// Rows in the format of COPY … WITH (FORMAT binary) (manual: COPY, "Binary Format"), appended as one CopyData
/// message per `begin`/`end` pair.
class CopyBinaryWriter {
 public:
  explicit CopyBinaryWriter(SendBuffer& out) : out_(out) {}

  /// Signature, flags, empty extension: once, inside the first CopyData.
  void header();
  /// The file trailer (field count -1): once, inside the last CopyData.
  void trailer();

  void begin_row(std::size_t columns);
  void put_null();
  void put_int4(std::int32_t value);
  void put_int8(std::int64_t value);
  void put_text(std::string_view value);

 private:
  SendBuffer& out_;
};

}  // namespace proto_pg::wire
