#pragma once

#include <system_error>

namespace proto_pg::wire {

/// Why a connection can't be used (any more). What the *server says* in an ErrorResponse is not here: it is
/// data (SqlState, ServerError).
enum class Errc {
  connection_closed = 1,       ///< the peer closed the stream, or a TLS peer closed without close_notify
  protocol_violation,          ///< a reply that no rule of the manual's "Message Flow" allows at this place
  message_too_large,           ///< an announced or a built message above its limit
  too_many_parameters,         ///< more than 65,535 parameters or 32,767 COPY columns
  unsupported_authentication,  ///< a method code that is not implemented; the text names it
  password_missing,            ///< the server asks for a password and none was given
  tls_not_offered,             ///< the server answered `N` to SSLRequest and sslmode demands TLS
  tls_failed,                  ///< handshake or certificate check failed; the text has OpenSSL's reason
  server_not_authentic,        ///< wrong SCRAM server signature or nonce
  channel_binding_missing,     ///< channel_binding=require cannot be met
  no_random_bytes,             ///< this machine's generator gave none for the login
  refused_by_server,           ///< ErrorResponse during start-up; the ServerError says why
  timed_out,                   ///< connect_timeout or statement time-out of this client
  cancelled,                   ///< ended by this client (stop, drain over)
};

std::error_code make_error_code(Errc code);

}  // namespace proto_pg::wire

template <>
struct std::is_error_code_enum<proto_pg::wire::Errc> : std::true_type {};
