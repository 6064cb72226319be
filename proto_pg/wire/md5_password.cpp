#include "proto_pg/wire/md5_password.hpp"

#include <openssl/evp.h>

#include <array>

namespace proto_pg::wire {
namespace {

std::optional<std::string> md5_hex(const std::string& input) {
  std::array<unsigned char, 16> digest{};
  if (EVP_Digest(input.data(), input.size(), digest.data(), nullptr, EVP_md5(), nullptr) != 1) {
    return std::nullopt;
  }
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string result;
  for (const auto byte : digest) {
    result += kDigits[byte >> 4];
    result += kDigits[byte & 15];
  }
  return result;
}

}  // namespace

std::optional<std::string> md5_password(std::string_view user, std::string_view password,
                                        std::string_view salt) {
  const auto inner = md5_hex(std::string(password).append(user));
  if (!inner) return std::nullopt;
  const auto outer = md5_hex(std::string(*inner).append(salt));
  if (!outer) return std::nullopt;
  return "md5" + *outer;
}

}  // namespace proto_pg::wire
