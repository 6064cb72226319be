#pragma once

#include "tests/support/postgres_server.hpp"

namespace integration {

/// The server of the login tests: every method of authentication behind a role of its own. Made at first use.
///
/// trust_u, plain_u (cleartext), md5_u, scram_u, tls_only (refused without TLS), alice (certificate), mapped
/// (certificate alice, by a map), bob (SCRAM and a certificate), odd_1 … odd_4 (SASLprep), peer_u (Unix
/// socket: the operating system's user postgres or whoever runs the server).
support::PostgresServer& login_server();

inline constexpr const char* kPassword = "se cret'%\\";

}  // namespace integration
