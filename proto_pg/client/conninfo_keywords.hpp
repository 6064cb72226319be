#pragma once

#include <span>
#include <string>
#include <string_view>

namespace proto_pg::client {

/// A connection parameter that libpq knows (manual: "Parameter Key Words", "Environment Variables").
struct Keyword {
  std::string_view name;
  std::string_view environment;  ///< variable that supplies it; empty: none
  enum class Kind : unsigned char { supported, secret, unsupported, unsupported_secret } kind;
  /// Unsupported ones only: the values that ask for nothing, separated by '|' (one may be empty).
  std::string_view harmless = "";

  bool supported() const { return kind == Kind::supported || kind == Kind::secret; }
  bool secret() const { return kind == Kind::secret || kind == Kind::unsupported_secret; }
  bool harmless_value(std::string_view value) const;
};

std::span<const Keyword> keywords();

/// nullptr if there is none of that name.
const Keyword* find_keyword(std::string_view name);

/// The keyword that `name` was perhaps meant to be; empty if none is near.
std::string_view nearest_keyword(std::string_view name);

}  // namespace proto_pg::client
