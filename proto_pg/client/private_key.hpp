#pragma once

#include <memory>
#include <string>

struct evp_pkey_st;

namespace proto_pg::client {

struct PrivateKeyDeleter {
  void operator()(evp_pkey_st* key) const;
};
using PrivateKey = std::unique_ptr<evp_pkey_st, PrivateKeyDeleter>;

/// The client's private key, PEM or DER. Throws ConnectInfoError naming the file: missing (`certificate` is
/// the one that needs it), not a regular file, open to others, encrypted, or no key at all. Never prompts.
PrivateKey load_private_key(const std::string& file, const std::string& certificate);

/// OpenSSL's reason for the last failure on this thread, or the system's; clears it.
std::string take_openssl_reason();

}  // namespace proto_pg::client
