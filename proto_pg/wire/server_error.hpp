#pragma once

#include <string>
#include <string_view>

#include "proto_pg/wire/sqlstate.hpp"

namespace proto_pg::wire {

/// The fields of an ErrorResponse or NoticeResponse that reports need (manual: "Error and Notice Message
/// Fields"). Texts are as the server sent them: any bytes, not always UTF-8, at most kMaxFieldBytes each.
struct ServerError {
  static constexpr std::size_t kMaxFieldBytes = 4096;

  SqlState sqlstate = SqlState::missing();
  std::string severity;  ///< field V where the server has it, else S
  std::string message;
  std::string detail;
  std::string hint;

  /// Reuses the capacity of its strings. Returns false if the payload is not a sequence of fields.
  [[nodiscard]] bool assign(std::string_view payload);
};

}  // namespace proto_pg::wire
