#pragma once

// Payloads of backend messages, well-formed, for the tests of the ReplyTracker.

#include <initializer_list>
#include <string>
#include <string_view>

#include "proto_pg/wire/reply_tracker.hpp"
#include "tests/unit/wire/bytes.hpp"

namespace proto_pg::wire::test {

inline std::string error_payload(std::string_view sqlstate, std::string_view severity = "ERROR") {
  return u8('V') + z(severity) + u8('C') + z(sqlstate) + "Mm" + std::string(2, '\0');
}

/// A payload that is right for the type; the empty one for types that no server sends.
inline std::string payload_of(char type) {
  switch (type) {
    case 'D':
      return i16(2) + i32(1) + "x" + i32(-1);
    case 'C':
      return z("UPDATE 3");
    case 'Z':
      return "I";
    case 'T':
      return i16(1) + z("c") + i32(0) + i16(0) + i32(20) + i16(8) + i32(-1) + i16(1);
    case 't':
      return i16(1) + i32(20);
    case 'E':
      return error_payload("40001");
    case 'N':
      return error_payload("01000", "WARNING");
    case 'G':
    case 'H':
      return u8(0) + i16(1) + i16(0);
    case 'd':
      return "1\n";
    case 'S':
      return z("TimeZone") + z("UTC");
    case 'A':
      return i32(1) + z("channel") + z("");
    case 'K':
      return i32(1) + "abcd";
    case 'R':
      return i32(0);
    default:
      return "";
  }
}

inline Reply feed(ReplyTracker& tracker, char type, const std::string& payload) {
  return tracker.on_message(Message{type, payload});
}
inline Reply feed(ReplyTracker& tracker, char type) { return feed(tracker, type, payload_of(type)); }

/// Feeds one message per character; the last one's meaning.
inline Reply feed_all(ReplyTracker& tracker, std::string_view types) {
  Reply last = Reply::violation;
  for (const char type : types) last = feed(tracker, type);
  return last;
}

/// Opens a statement with these questions.
inline std::size_t ask(ReplyTracker& tracker, std::initializer_list<Question> questions) {
  const std::size_t number = tracker.begin_statement();
  for (const Question question : questions) tracker.expect(question);
  return number;
}

}  // namespace proto_pg::wire::test
