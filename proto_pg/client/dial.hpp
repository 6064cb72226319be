#pragma once

// The first steps of every connection, before the protocol proper: socket, options, SSLRequest.

#include <string>
#include <string_view>
#include <system_error>

#include "proto_pg/client/connect_info.hpp"
#include "proto_pg/client/connection.hpp"
#include "proto_pg/client/stream.hpp"

namespace proto_pg::client {

/// Connects a non-blocking socket with the options that `info` asks for. Errc::cancelled after a `shutdown`.
asio::awaitable<std::error_code> connect_socket(Stream& stream, const ConnectInfo& info,
                                                const Endpoint& endpoint);

/// Writes all of it; for the small messages of start-up, to which nobody replies before they are complete.
asio::awaitable<std::error_code> write_all(Stream& stream, std::string_view bytes);

/// What the server said to SSLRequest.
struct TlsAnswer {
  enum class Kind : std::uint8_t { yes, no, refused, broken };
  Kind kind = Kind::broken;
  std::error_code error;     ///< if broken
  wire::ServerError server;  ///< if refused: the server could not even fork, or is older than TLS
};

/// Sends SSLRequest and reads exactly one byte, so that no byte sent in plain can be taken for an encrypted
/// one (CVE-2021-23222). More than the one byte is a protocol_violation.
asio::awaitable<TlsAnswer> request_tls(Stream& stream);

}  // namespace proto_pg::client
