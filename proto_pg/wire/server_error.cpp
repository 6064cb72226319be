#include "proto_pg/wire/server_error.hpp"

namespace proto_pg::wire {

// ErrorResponse and NoticeResponse: (field type byte, zero-terminated text)*, zero byte. Unknown types are
// skipped, as the manual asks ("frontends should silently ignore fields of unrecognized type").
bool ServerError::assign(std::string_view payload) {
  sqlstate = SqlState::missing();
  for (std::string* text : {&severity, &message, &detail, &hint}) text->clear();
  bool plain_severity = false;  // V, never translated, has been seen
  while (!payload.empty() && payload.front() != '\0') {
    const char type = payload.front();
    const std::size_t end = payload.find('\0', 1);
    if (end == std::string_view::npos) return false;
    const std::string_view whole = payload.substr(1, end - 1);
    const std::string_view text = whole.substr(0, kMaxFieldBytes);
    payload.remove_prefix(end + 1);
    switch (type) {
      case 'C':
        sqlstate = SqlState::parse(whole);
        break;
      case 'V':
        severity.assign(text);
        plain_severity = true;
        break;
      case 'S':
        if (!plain_severity) severity.assign(text);
        break;
      case 'M':
        message.assign(text);
        break;
      case 'D':
        detail.assign(text);
        break;
      case 'H':
        hint.assign(text);
        break;
      default:
        break;
    }
  }
  return payload.size() == 1;  // the closing zero byte and nothing behind it
}

}  // namespace proto_pg::wire
