#pragma once

#include <cstdint>

namespace proto_pg::client {

/// What went over a connection since it was made, over all its reopenings; logins too, TLS's own bytes not.
struct Traffic {
  std::uint64_t bytes_sent = 0, bytes_received = 0;
  std::uint64_t messages_sent = 0, messages_received = 0;
  /// ReadyForQuery outside a transaction block: each ends one transaction, implicit or not, that the server
  /// counts as well, as committed or rolled back.
  std::uint64_t transactions_ended = 0;

  Traffic& operator+=(const Traffic& other) {
    bytes_sent += other.bytes_sent;
    bytes_received += other.bytes_received;
    messages_sent += other.messages_sent;
    messages_received += other.messages_received;
    transactions_ended += other.transactions_ended;
    return *this;
  }
  Traffic& operator-=(const Traffic& other) {
    bytes_sent -= other.bytes_sent;
    bytes_received -= other.bytes_received;
    messages_sent -= other.messages_sent;
    messages_received -= other.messages_received;
    transactions_ended -= other.transactions_ended;
    return *this;
  }
};

}  // namespace proto_pg::client
