#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace proto_pg::wire {

inline constexpr std::size_t kMd5SaltBytes = 4;

/// The answer to AuthenticationMD5Password (manual: "Start-up"): "md5" + md5(md5(password + user) + salt),
/// digests in hexadecimal. nullopt if OpenSSL is configured without MD5 (FIPS).
std::optional<std::string> md5_password(std::string_view user, std::string_view password,
                                        std::string_view salt);

}  // namespace proto_pg::wire
