#pragma once

// Framing and decoding of backend messages (manual: "Message Formats"). Everything here is a view of the
// caller's bytes: valid only until those bytes move, so never held across a wait.

#include <cstdint>
#include <optional>
#include <string_view>

#include "proto_pg/wire/byte_order.hpp"
#include "proto_pg/wire/errc.hpp"
#include "proto_pg/wire/frontend.hpp"

namespace proto_pg::wire {

/// One whole message: type byte and the payload behind its length word.
struct Message {
  char type = 0;
  std::string_view payload;
};

/// Largest message body accepted, length word included.
inline constexpr std::size_t kMaxStartupReplyBytes = std::size_t{64} << 10;  ///< before AuthenticationOk
inline constexpr std::size_t kMaxReplyBytes = std::size_t{1} << 30;          ///< afterwards

/// Result of looking for the next message at the front of some bytes.
struct Framed {
  enum class Status : std::uint8_t { complete, incomplete, error };
  Status status = Status::incomplete;
  Message message;        ///< if complete
  std::size_t bytes = 0;  ///< complete: size of the whole message; incomplete: size needed (5 if unknown)
  Errc error{};           ///< if error: message_too_large, or protocol_violation (length < 4 or negative)
};

/// Bytes before the payload: type and length word.
inline constexpr std::size_t kHeaderBytes = 5;

/// `max_bytes`: limit of the length word's value for the present state. Inline: once per message received.
inline Framed next_message(std::string_view bytes, std::size_t max_bytes) {
  Framed found;
  if (bytes.size() < kHeaderBytes) {
    found.bytes = kHeaderBytes;
    return found;
  }
  const auto length = load_big_endian<std::int32_t>(bytes.data() + 1);  // counts itself, not the type
  if (length < 4 || static_cast<std::size_t>(length) > max_bytes) [[unlikely]] {
    found.status = Framed::Status::error;
    found.error = length < 4 ? Errc::protocol_violation : Errc::message_too_large;
    return found;
  }
  found.bytes = 1 + static_cast<std::size_t>(length);
  if (bytes.size() < found.bytes) return found;
  found.status = Framed::Status::complete;
  found.message = {bytes[0], bytes.substr(kHeaderBytes, found.bytes - kHeaderBytes)};
  return found;
}

/// The columns of one DataRow, decoded while iterating.
class RowView {
 public:
  /// False if counts and lengths do not add up to the payload; an iteration is safe only after true.
  static bool valid(std::string_view payload);
  explicit RowView(std::string_view payload);

  std::size_t size() const { return columns_; }
  /// The next column's bytes, nullopt for NULL. Call at most size() times.
  std::optional<std::string_view> next();

 private:
  std::string_view rest_;
  std::size_t columns_;
};

/// One column of a RowDescription.
struct ColumnDescription {
  std::string_view name;
  Oid type = 0;
  std::int32_t type_modifier = -1;
  Format format = Format::text;
};

/// Walks a RowDescription; nullopt after the last column; `bad()` if the payload is malformed.
class RowDescriptionView {
 public:
  explicit RowDescriptionView(std::string_view payload);
  std::optional<ColumnDescription> next();
  std::size_t size() const { return columns_; }
  bool bad() const { return bad_; }

 private:
  std::string_view rest_;
  std::size_t columns_ = 0;
  std::size_t left_ = 0;
  bool bad_ = false;
};

/// Walks a ParameterDescription's type OIDs.
class ParameterDescriptionView {
 public:
  explicit ParameterDescriptionView(std::string_view payload);
  std::optional<Oid> next();
  bool bad() const { return bad_; }

 private:
  std::string_view rest_;
  bool bad_ = false;  // found at once by the constructor: the size follows from the count
};

struct ParameterStatus {
  std::string_view name, value;
};
std::optional<ParameterStatus> decode_parameter_status(std::string_view payload);

struct BackendKeyData {
  std::int32_t process_id = 0;
  std::string_view secret_key;  ///< 4 bytes in protocol 3.0, up to 256 in later ones
};
std::optional<BackendKeyData> decode_backend_key_data(std::string_view payload);

/// 'I' idle, 'T' in a transaction block, 'E' in a failed one.
std::optional<char> decode_ready_for_query(std::string_view payload);

/// Row count at the end of a command tag: "INSERT 0 5" -> 5, "SELECT 3" -> 3, "BEGIN" -> 0.
/// nullopt if the payload is not one zero-terminated text.
std::optional<std::uint64_t> decode_command_complete(std::string_view payload);

}  // namespace proto_pg::wire
