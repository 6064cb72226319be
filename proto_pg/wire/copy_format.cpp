#include "proto_pg/wire/copy_format.hpp"

#include <limits>

namespace proto_pg::wire {
namespace {

using namespace std::string_view_literals;

constexpr auto kSignature = "PGCOPY\n\377\r\n\0"sv;
constexpr std::int16_t kTrailer = -1;
constexpr std::int32_t kNull = -1;

}  // namespace

void CopyBinaryWriter::header() {
  out_.put_bytes(kSignature);
  out_.put_i32(0);  // flags: no OIDs
  out_.put_i32(0);  // length of the header extension
}

void CopyBinaryWriter::trailer() { out_.put_i16(kTrailer); }

void CopyBinaryWriter::begin_row(std::size_t columns) {
  if (columns > static_cast<std::size_t>(std::numeric_limits<std::int16_t>::max())) {
    return out_.fail(Errc::too_many_parameters);
  }
  out_.put_i16(static_cast<std::int16_t>(columns));
}

void CopyBinaryWriter::put_null() { out_.put_i32(kNull); }

void CopyBinaryWriter::put_int4(std::int32_t value) {
  out_.put_i32(sizeof value);
  out_.put_i32(value);
}

void CopyBinaryWriter::put_int8(std::int64_t value) {
  out_.put_i32(sizeof value);
  out_.put_i64(value);
}

void CopyBinaryWriter::put_text(std::string_view value) { out_.put_value(value); }

}  // namespace proto_pg::wire
