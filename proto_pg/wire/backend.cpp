#include "proto_pg/wire/backend.hpp"

#include <charconv>

namespace proto_pg::wire {
namespace {

constexpr std::size_t kCountBytes = 2;
constexpr std::size_t kOidBytes = 4;
// RowDescription, behind each name: table OID, column number, type OID, type size, type modifier, format.
constexpr std::size_t kColumnBytes = 4 + 2 + 4 + 2 + 4 + 2;
constexpr std::size_t kTypeOffset = 4 + 2;
constexpr std::size_t kModifierOffset = 4 + 2 + 4 + 2;
constexpr std::size_t kFormatOffset = kModifierOffset + 4;
constexpr std::size_t kMinKeyBytes = 4;
constexpr std::size_t kMaxKeyBytes = 256;  // manual: "BackendKeyData" of protocol 3.2

/// Takes the 16-bit count off the front; nullopt if there is none.
std::optional<std::size_t> take_count(std::string_view& bytes) {
  if (bytes.size() < kCountBytes) return std::nullopt;
  const auto count = load_big_endian<std::uint16_t>(bytes.data());
  bytes.remove_prefix(kCountBytes);
  return count;
}

/// Takes a zero-terminated text off the front; nullopt if no zero byte ends it.
std::optional<std::string_view> take_cstring(std::string_view& bytes) {
  const std::size_t end = bytes.find('\0');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view text = bytes.substr(0, end);
  bytes.remove_prefix(end + 1);
  return text;
}

}  // namespace

// DataRow: column count, (length or -1 for NULL, bytes)*.
bool RowView::valid(std::string_view payload) {
  const auto columns = take_count(payload);
  if (!columns) return false;
  const char* at = payload.data();
  std::size_t left = payload.size();
  for (std::size_t i = 0; i < *columns; ++i) {
    if (left < 4) return false;
    const auto length = load_big_endian<std::int32_t>(at);
    at += 4;
    left -= 4;
    if (length < 0) {
      if (length != -1) return false;
      continue;
    }
    if (static_cast<std::size_t>(length) > left) return false;
    at += length;
    left -= static_cast<std::size_t>(length);
  }
  return left == 0;
}

RowView::RowView(std::string_view payload) : rest_(payload), columns_(take_count(rest_).value_or(0)) {}

std::optional<std::string_view> RowView::next() {
  const auto length = load_big_endian<std::int32_t>(rest_.data());
  rest_.remove_prefix(4);
  if (length < 0) return std::nullopt;
  const std::string_view value(rest_.data(), static_cast<std::size_t>(length));
  rest_.remove_prefix(value.size());
  return value;
}

// RowDescription: column count, (name, kColumnBytes of numbers)*.
RowDescriptionView::RowDescriptionView(std::string_view payload) : rest_(payload) {
  const auto count = take_count(rest_);
  columns_ = left_ = count.value_or(0);
  bad_ = !count || (left_ == 0 && !rest_.empty());
}

std::optional<ColumnDescription> RowDescriptionView::next() {
  if (left_ == 0) return std::nullopt;
  const auto name = take_cstring(rest_);
  if (!name || rest_.size() < kColumnBytes) {
    bad_ = true;
    left_ = 0;
    return std::nullopt;
  }
  ColumnDescription column;
  column.name = *name;
  column.type = load_big_endian<Oid>(rest_.data() + kTypeOffset);
  column.type_modifier = load_big_endian<std::int32_t>(rest_.data() + kModifierOffset);
  const auto format = load_big_endian<std::int16_t>(rest_.data() + kFormatOffset);
  column.format = static_cast<Format>(format);
  rest_.remove_prefix(kColumnBytes);
  --left_;
  if ((format != 0 && format != 1) || (left_ == 0 && !rest_.empty())) bad_ = true;
  return column;
}

// ParameterDescription: parameter count, type OIDs.
ParameterDescriptionView::ParameterDescriptionView(std::string_view payload) : rest_(payload) {
  const auto count = take_count(rest_);
  if (!count || rest_.size() != *count * kOidBytes) {
    bad_ = true;
    rest_ = {};
  }
}

std::optional<Oid> ParameterDescriptionView::next() {
  if (rest_.empty()) return std::nullopt;
  const auto type = load_big_endian<Oid>(rest_.data());
  rest_.remove_prefix(kOidBytes);
  return type;
}

std::optional<ParameterStatus> decode_parameter_status(std::string_view payload) {
  const auto name = take_cstring(payload);
  if (!name) return std::nullopt;
  const auto value = take_cstring(payload);
  if (!value || !payload.empty()) return std::nullopt;
  return ParameterStatus{*name, *value};
}

std::optional<BackendKeyData> decode_backend_key_data(std::string_view payload) {
  if (payload.size() < 4 + kMinKeyBytes || payload.size() > 4 + kMaxKeyBytes) return std::nullopt;
  return BackendKeyData{load_big_endian<std::int32_t>(payload.data()), payload.substr(4)};
}

std::optional<char> decode_ready_for_query(std::string_view payload) {
  if (payload.size() != 1) return std::nullopt;
  const char status = payload.front();
  if (status != 'I' && status != 'T' && status != 'E') return std::nullopt;
  return status;
}

std::optional<std::uint64_t> decode_command_complete(std::string_view payload) {
  const auto tag = take_cstring(payload);
  if (!tag || !payload.empty()) return std::nullopt;
  const std::size_t space = tag->rfind(' ');
  if (space == std::string_view::npos) return 0;
  const std::string_view word = tag->substr(space + 1);
  const char* const end = word.data() + word.size();
  std::uint64_t count = 0;
  const auto parsed = std::from_chars(word.data(), end, count);
  return parsed.ec == std::errc() && parsed.ptr == end ? count : 0;
}

}  // namespace proto_pg::wire
