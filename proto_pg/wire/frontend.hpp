#pragma once

// Encoders of the frontend messages of protocol 3.0 (manual: "Message Formats"), one free function a message,
// appending to a SendBuffer, whose sticky error tells of what does not fit.

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "proto_pg/wire/send_buffer.hpp"

namespace proto_pg::wire {

using Oid = std::uint32_t;

namespace oid {
inline constexpr Oid kUnspecified = 0;
inline constexpr Oid kInt8 = 20, kInt2 = 21, kInt4 = 23, kText = 25, kFloat4 = 700, kFloat8 = 701;
inline constexpr Oid kBpchar = 1042, kVarchar = 1043;
}  // namespace oid

enum class Format : std::int16_t { text = 0, binary = 1 };

using StartupParameter = std::pair<std::string_view, std::string_view>;

void encode_ssl_request(SendBuffer& out);
void encode_startup(SendBuffer& out, std::span<const StartupParameter> parameters);
void encode_cancel_request(SendBuffer& out, std::int32_t process_id, std::string_view secret_key);
void encode_password(SendBuffer& out, std::string_view password);
void encode_sasl_initial_response(SendBuffer& out, std::string_view mechanism, std::string_view response);
void encode_sasl_response(SendBuffer& out, std::string_view response);

void encode_query(SendBuffer& out, std::string_view sql);
/// Parse. `types` may be shorter than the statement's parameter list; missing ones are for the server to
/// infer.
void encode_parse(SendBuffer& out, std::string_view statement, std::string_view sql,
                  std::span<const Oid> types);
void encode_describe_statement(SendBuffer& out, std::string_view statement);
void encode_describe_portal(SendBuffer& out, std::string_view portal);
/// `max_rows` 0 = all.
void encode_execute(SendBuffer& out, std::string_view portal, std::int32_t max_rows);
void encode_close_statement(SendBuffer& out, std::string_view statement);
void encode_close_portal(SendBuffer& out, std::string_view portal);
void encode_sync(SendBuffer& out);
void encode_flush(SendBuffer& out);
void encode_terminate(SendBuffer& out);

void encode_copy_data(SendBuffer& out, std::string_view bytes);
void encode_copy_done(SendBuffer& out);
void encode_copy_fail(SendBuffer& out, std::string_view reason);

/// Builds one Bind of the unnamed portal: constructor, exactly `formats.size()` parameters, `finish`.
///
///     BindWriter bind(out, "s1", formats);
///     bind.put_int8(42);
///     bind.finish(Format::binary);
class BindWriter {
 public:
  /// `formats`: one per parameter. A number of put_… calls other than formats.size() is a bug (assert).
  BindWriter(SendBuffer& out, std::string_view statement, std::span<const Format> formats);

  void put_null();
  void put_int2(std::int16_t value);      ///< binary
  void put_int4(std::int32_t value);      ///< binary
  void put_int8(std::int64_t value);      ///< binary
  void put_decimal(std::int64_t value);   ///< as text
  void put_text(std::string_view value);  ///< the bytes as they are (text; also binary form of text types)

  /// `results`: the one format for all result columns.
  void finish(Format results);

 private:
  void owe_one_less();

  SendBuffer& out_;
  std::size_t begin_;
  std::size_t owed_;
};

}  // namespace proto_pg::wire
