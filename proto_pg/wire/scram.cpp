// SCRAM-SHA-256 and SCRAM-SHA-256-PLUS (RFC 5802, RFC 7677). The messages, attributes separated by commas:
//
//     client-first = gs2-header "n=" user ",r=" nonce
//     server-first = "r=" nonce+ ",s=" base64(salt) ",i=" iterations *("," extension)
//     client-final = "c=" base64(gs2-header channel-binding) ",r=" nonce+ ",p=" base64(ClientProof)
//     server-final = ("v=" base64(ServerSignature) | "e=" reason) *("," extension)
#include "proto_pg/wire/scram.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <utility>

#include "proto_pg/wire/errc.hpp"

namespace proto_pg::wire {
namespace {

const unsigned char* bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::string_view text(const ScramDigest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

ScramDigest hmac(const ScramDigest& key, std::string_view message) {
  ScramDigest result{};
  unsigned length = 0;
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), bytes(message), message.size(),
           result.data(), &length) == nullptr) {
    throw std::runtime_error("OpenSSL cannot compute HMAC-SHA-256, which SCRAM needs");
  }
  return result;
}

ScramDigest sha256(const ScramDigest& input) {
  ScramDigest result{};
  if (EVP_Digest(input.data(), input.size(), result.data(), nullptr, EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error("OpenSSL cannot compute SHA-256, which SCRAM needs");
  }
  return result;
}

std::string base64(std::string_view binary) {
  // EVP_EncodeBlock writes a closing zero byte: into the one that std::string keeps behind its end.
  std::string result((binary.size() + 2) / 3 * 4, '\0');
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(result.data()), bytes(binary),
                  static_cast<int>(binary.size()));
  return result;
}

bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

bool is_base64_digit(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '/'; }

/// Strict where EVP_DecodeBlock is not: no white space, no padding but at the end, not empty.
std::optional<std::string> from_base64(std::string_view encoded) {
  if (encoded.empty() || encoded.size() % 4 != 0) return std::nullopt;
  const auto digits = std::min(encoded.find('='), encoded.size());
  const auto padding = encoded.size() - digits;
  if (padding > 2 || encoded.substr(digits) != std::string_view("==", padding)) return std::nullopt;
  if (!std::ranges::all_of(encoded.substr(0, digits), is_base64_digit)) return std::nullopt;
  std::string result(encoded.size() / 4 * 3, '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(result.data()), bytes(encoded),
                                   static_cast<int>(encoded.size()));
  if (size < 0) return std::nullopt;
  result.resize(result.size() - padding);  // OpenSSL counts the padding as zero bytes
  return result;
}

/// Takes "<name>=<value>" from the front of `rest`, and the comma behind it.
std::optional<std::string_view> take_attribute(std::string_view& rest, char name) {
  if (rest.size() < 2 || rest[0] != name || rest[1] != '=') return std::nullopt;
  const auto end = std::min(rest.find(','), rest.size());
  const auto value = rest.substr(2, end - 2);
  const bool last = end == rest.size();
  rest.remove_prefix(last ? end : end + 1);
  if (!last && rest.empty()) return std::nullopt;  // a comma promises one more
  return value;
}

/// What follows the attributes we know: optional extensions, to be ignored. A mandatory one ("m=", to be
/// refused by who does not know it) comes first, so it is refused where "r=" is expected (RFC 5802
/// section 5.1).
bool valid_extensions(std::string_view rest) {
  while (!rest.empty()) {
    const char name = rest[0];
    if (!is_letter(name) || !take_attribute(rest, name)) return false;
  }
  return true;
}

bool valid_nonce(std::string_view nonce) {
  return !nonce.empty() &&
         std::ranges::all_of(nonce, [](char c) { return c >= 0x21 && c <= 0x7e && c != ','; });
}

/// posit-number of RFC 5802 section 7 within our bounds, else 0.
std::uint32_t parse_iterations(std::string_view digits) {
  if (digits.empty() || digits[0] == '0') return 0;
  std::uint32_t value = 0;
  const auto* end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end || value > kMaxScramIterations) return 0;
  return value;
}

std::string_view gs2_header(Gs2 gs2) {
  switch (gs2) {
    case Gs2::not_supported:
      return "n,,";
    case Gs2::server_lacks_it:
      return "y,,";
    case Gs2::tls_server_end_point:
      return "p=tls-server-end-point,,";
  }
  return {};
}

}  // namespace

ScramKeys derive_scram_keys(std::string_view prepared_password, std::string_view salt,
                            std::uint32_t iterations) {
  ScramDigest salted_password{};
  if (PKCS5_PBKDF2_HMAC(prepared_password.data(), static_cast<int>(prepared_password.size()), bytes(salt),
                        static_cast<int>(salt.size()), static_cast<int>(iterations), EVP_sha256(),
                        static_cast<int>(salted_password.size()), salted_password.data()) != 1) {
    throw std::runtime_error("OpenSSL cannot compute PBKDF2 with HMAC-SHA-256, which SCRAM needs");
  }
  ScramKeys keys;
  keys.client_key = hmac(salted_password, "Client Key");
  keys.server_key = hmac(salted_password, "Server Key");
  OPENSSL_cleanse(salted_password.data(), salted_password.size());
  return keys;
}

ScramExchange::ScramExchange(Gs2 gs2, std::string nonce, std::string channel_binding, std::string user)
    : gs2_(gs2),
      nonce_(std::move(nonce)),
      channel_binding_(std::move(channel_binding)),
      user_(std::move(user)) {}

std::string ScramExchange::client_first_bare() const { return "n=" + user_ + ",r=" + nonce_; }

std::string ScramExchange::client_first() const {
  return std::string(gs2_header(gs2_)) + client_first_bare();
}

std::error_code ScramExchange::on_server_first(std::string_view message) {
  auto rest = message;
  const auto nonce = take_attribute(rest, 'r');
  if (!nonce || !valid_nonce(*nonce)) return Errc::protocol_violation;
  const auto encoded_salt = take_attribute(rest, 's');
  if (!encoded_salt) return Errc::protocol_violation;
  auto salt = from_base64(*encoded_salt);
  const auto digits = take_attribute(rest, 'i');
  if (!salt || !digits || !valid_extensions(rest)) return Errc::protocol_violation;
  const auto iterations = parse_iterations(*digits);
  if (iterations == 0) return Errc::protocol_violation;
  // Longer than ours: a server that adds nothing lets an old exchange be replayed.
  if (!nonce->starts_with(nonce_) || nonce->size() == nonce_.size()) return Errc::server_not_authentic;
  server_first_ = message;
  combined_nonce_ = *nonce;
  salt_ = std::move(*salt);
  iterations_ = iterations;
  return {};
}

std::string ScramExchange::client_final(const ScramKeys& keys) {
  auto result = "c=" + base64(std::string(gs2_header(gs2_)) + channel_binding_) + ",r=" + combined_nonce_;
  const auto auth_message = client_first_bare() + "," + server_first_ + "," + result;
  auto proof = hmac(sha256(keys.client_key), auth_message);
  for (std::size_t i = 0; i < proof.size(); ++i) proof[i] ^= keys.client_key[i];
  server_signature_ = hmac(keys.server_key, auth_message);
  return result + ",p=" + base64(text(proof));
}

std::error_code ScramExchange::on_server_final(std::string_view message) {
  if (!server_signature_) return Errc::protocol_violation;
  auto rest = message;
  if (const auto reason = take_attribute(rest, 'e')) {
    refusal_ = *reason;
    return Errc::refused_by_server;
  }
  const auto encoded = take_attribute(rest, 'v');
  if (!encoded || !valid_extensions(rest)) return Errc::protocol_violation;
  const auto signature = from_base64(*encoded);
  if (!signature || signature->size() != server_signature_->size()) return Errc::protocol_violation;
  if (CRYPTO_memcmp(signature->data(), server_signature_->data(), signature->size()) != 0) {
    return Errc::server_not_authentic;
  }
  return {};
}

}  // namespace proto_pg::wire
