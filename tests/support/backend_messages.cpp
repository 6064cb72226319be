#include "tests/support/backend_messages.hpp"

namespace support::backend {
namespace {

std::string zero_ended(std::string_view text) { return std::string(text) + '\0'; }

std::string fields(const Fields& list) {
  std::string payload;
  for (const auto& [type, value] : list) payload += type + zero_ended(value);
  return payload + '\0';
}

}  // namespace

std::string int16(int value) {
  return {static_cast<char>(value >> 8 & 0xff), static_cast<char>(value & 0xff)};
}

std::string int32(std::int64_t value) {
  return int16(static_cast<int>(value >> 16 & 0xffff)) + int16(static_cast<int>(value & 0xffff));
}

std::string message(char type, std::string_view payload) {
  return type + int32(static_cast<std::int64_t>(payload.size()) + 4) + std::string(payload);
}

std::string authentication(int code, std::string_view rest) {
  return message('R', int32(code) + std::string(rest));
}

std::string sasl(const std::vector<std::string>& mechanisms) {
  std::string list;
  for (const std::string& mechanism : mechanisms) list += zero_ended(mechanism);
  return authentication(10, list + '\0');
}

std::string parameter_status(std::string_view name, std::string_view value) {
  return message('S', zero_ended(name) + zero_ended(value));
}

std::string key_data(std::int32_t process_id, std::string_view key) {
  return message('K', int32(process_id) + std::string(key));
}

std::string ready(char status) { return message('Z', std::string(1, status)); }

std::string welcome() {
  return authentication_ok() + parameter_status("server_version", "15.0") +
         parameter_status("client_encoding", "UTF8") + key_data(4711, "\1\2\3\4") + ready();
}

std::string row_description(const std::vector<Column>& columns) {
  std::string payload = int16(static_cast<int>(columns.size()));
  for (const Column& column : columns) {
    payload += zero_ended(column.name) + int32(0) + int16(0) + int32(column.type) + int16(-1) + int32(-1) +
               int16(column.format);
  }
  return message('T', payload);
}

std::string data_row(const std::vector<std::optional<std::string>>& values) {
  std::string payload = int16(static_cast<int>(values.size()));
  for (const auto& value : values) {
    payload += value ? int32(static_cast<std::int64_t>(value->size())) + *value : int32(-1);
  }
  return message('D', payload);
}

std::string parameter_description(const std::vector<std::int32_t>& types) {
  std::string payload = int16(static_cast<int>(types.size()));
  for (const std::int32_t type : types) payload += int32(type);
  return message('t', payload);
}

std::string command_complete(std::string_view tag) { return message('C', zero_ended(tag)); }
std::string parse_complete() { return message('1', {}); }
std::string bind_complete() { return message('2', {}); }
std::string no_data() { return message('n', {}); }
std::string empty_query() { return message('I', {}); }
std::string portal_suspended() { return message('s', {}); }

std::string copy_in(int columns, int format) {
  std::string payload = std::string(1, static_cast<char>(format)) + int16(columns);
  for (int i = 0; i < columns; ++i) payload += int16(format);
  return message('G', payload);
}

std::string error(const Fields& list) { return message('E', fields(list)); }

std::string error(std::string_view sqlstate, std::string_view text, std::string_view severity) {
  return error({{'S', std::string(severity)},
                {'V', std::string(severity)},
                {'C', std::string(sqlstate)},
                {'M', std::string(text)}});
}

std::string notice(std::string_view text) {
  return message('N', fields({{'S', "NOTICE"}, {'V', "NOTICE"}, {'C', "00000"}, {'M', std::string(text)}}));
}

std::string notification(std::string_view channel, std::string_view payload) {
  return message('A', int32(4711) + zero_ended(channel) + zero_ended(payload));
}

std::string negotiate(std::int32_t minor, const std::vector<std::string>& unknown_options) {
  std::string payload = int32(minor) + int32(static_cast<std::int64_t>(unknown_options.size()));
  for (const std::string& option : unknown_options) payload += zero_ended(option);
  return message('v', payload);
}

}  // namespace support::backend
