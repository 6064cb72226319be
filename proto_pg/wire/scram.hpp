#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace proto_pg::wire {

using ScramDigest = std::array<unsigned char, 32>;  ///< SHA-256

/// Keys derived from (password, salt, iterations): RFC 5802 section 3. The PBKDF2 behind them costs
/// milliseconds, so it is computed where the caller chooses, and can be cached.
struct ScramKeys {
  ScramDigest client_key{};
  ScramDigest server_key{};
};

inline constexpr std::uint32_t kMaxScramIterations = 1'000'000;

/// SASLprep (RFC 4013) as the server applies it: where preparation fails or the text is not UTF-8, the raw
/// bytes.
std::string sasl_prepare(std::string_view password);

/// `prepared_password` comes from sasl_prepare. iterations: 1..kMaxScramIterations.
/// Throws std::runtime_error if OpenSSL was built or configured without the primitives.
ScramKeys derive_scram_keys(std::string_view prepared_password, std::string_view salt,
                            std::uint32_t iterations);

/// How the client stands to channel binding: the GS2 header (RFC 5802 section 7, RFC 5929).
enum class Gs2 : std::uint8_t {
  not_supported,         ///< "n": no TLS, or switched off
  server_lacks_it,       ///< "y": we could, the server does not offer PLUS
  tls_server_end_point,  ///< "p=tls-server-end-point": SCRAM-SHA-256-PLUS
};

/// One SCRAM-SHA-256 exchange: `client_first`, `on_server_first`, `client_final`, `on_server_final`.
/// The nonce is injected, so that recorded exchanges are tests (RFC 7677 section 3).
class ScramExchange {
 public:
  /// `nonce`: printable ASCII without ','. `channel_binding`: hash of the server certificate for
  /// tls_server_end_point, else empty. `user` stays empty with PostgreSQL, which takes the name from the
  /// start-up packet; other servers' exchanges have one.
  ScramExchange(Gs2 gs2, std::string nonce, std::string channel_binding, std::string user = {});

  std::string client_first() const;

  /// Errors: protocol_violation (malformed, iterations outside 1..kMaxScramIterations),
  /// server_not_authentic (nonce is not an extension of ours).
  [[nodiscard]] std::error_code on_server_first(std::string_view message);
  std::string_view salt() const { return salt_; }
  std::uint32_t iterations() const { return iterations_; }

  std::string client_final(const ScramKeys& keys);

  /// Errors: server_not_authentic (wrong signature), refused_by_server (the `e=` attribute: see `refusal`),
  /// protocol_violation (malformed, or before client_final).
  [[nodiscard]] std::error_code on_server_final(std::string_view message);
  /// The server-error-value of RFC 5802 section 7, like "invalid-proof"; any bytes.
  const std::string& refusal() const { return refusal_; }

 private:
  std::string client_first_bare() const;

  Gs2 gs2_;
  std::string nonce_;
  std::string channel_binding_;
  std::string user_;
  std::string server_first_;
  std::string combined_nonce_;
  std::string salt_;
  std::uint32_t iterations_ = 0;
  std::optional<ScramDigest> server_signature_;
  std::string refusal_;
};

}  // namespace proto_pg::wire
