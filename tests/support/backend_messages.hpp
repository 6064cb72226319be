#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Bytes as a server would send them (manual: "Message Formats"), to be joined with +. Written by hand, apart
/// from the client's own decoders.
namespace support::backend {

std::string int16(int value);
std::string int32(std::int64_t value);
/// Type byte, right length, payload.
std::string message(char type, std::string_view payload);

std::string authentication(int code, std::string_view rest = {});
inline std::string authentication_ok() { return authentication(0); }
inline std::string cleartext() { return authentication(3); }
std::string sasl(const std::vector<std::string>& mechanisms);
std::string parameter_status(std::string_view name, std::string_view value);
std::string key_data(std::int32_t process_id, std::string_view key);
std::string ready(char status = 'I');
/// All that follows a good login.
std::string welcome();

struct Column {
  std::string name;
  std::int32_t type = 25;  ///< text
  int format = 0;
};
std::string row_description(const std::vector<Column>& columns);
std::string data_row(const std::vector<std::optional<std::string>>& values);
std::string parameter_description(const std::vector<std::int32_t>& types);
std::string command_complete(std::string_view tag);
std::string parse_complete();
std::string bind_complete();
std::string no_data();
std::string empty_query();
std::string portal_suspended();
std::string copy_in(int columns, int format = 1);

/// Field pairs: {'S', "ERROR"}, {'C', "42601"} …
using Fields = std::vector<std::pair<char, std::string>>;
std::string error(const Fields& fields);
std::string error(std::string_view sqlstate, std::string_view text, std::string_view severity = "ERROR");
std::string notice(std::string_view text);
std::string notification(std::string_view channel, std::string_view payload);
/// NegotiateProtocolVersion.
std::string negotiate(std::int32_t minor, const std::vector<std::string>& unknown_options);

}  // namespace support::backend
