#pragma once

// The server's side of one SCRAM exchange, written from the formulas of RFC 5802 section 3 by itself.

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <cstdint>
#include <string>

namespace proto_pg::wire::test {

class ScramServer {
 public:
  ScramServer(const std::string& password, const std::string& salt, int iterations, const std::string& gs2,
              const std::string& binding, const std::string& client_nonce, const std::string& server_first) {
    std::string salted(32, '\0');
    PKCS5_PBKDF2_HMAC(password.data(), static_cast<int>(password.size()), in(salt),
                      static_cast<int>(salt.size()), iterations, EVP_sha256(), 32,
                      reinterpret_cast<unsigned char*>(salted.data()));
    const auto client_key = hmac(salted, "Client Key");
    std::string stored_key(32, '\0');
    EVP_Digest(client_key.data(), client_key.size(), reinterpret_cast<unsigned char*>(stored_key.data()),
               nullptr, EVP_sha256(), nullptr);
    const auto nonce = server_first.substr(2, server_first.find(',') - 2);
    const auto without_proof = "c=" + base64(gs2 + binding) + ",r=" + nonce;
    const auto auth_message = "n=,r=" + client_nonce + "," + server_first + "," + without_proof;
    auto proof = hmac(stored_key, auth_message);
    for (std::size_t i = 0; i < proof.size(); ++i) proof[i] = static_cast<char>(proof[i] ^ client_key[i]);
    client_final_ = without_proof + ",p=" + base64(proof);
    server_final_ = "v=" + base64(hmac(hmac(salted, "Server Key"), auth_message));
  }

  const std::string& client_final() const { return client_final_; }  ///< the only right one
  const std::string& server_final() const { return server_final_; }

 private:
  static const unsigned char* in(const std::string& bytes) {
    return reinterpret_cast<const unsigned char*>(bytes.data());
  }
  static std::string hmac(const std::string& key, const std::string& text) {
    std::string result(32, '\0');
    HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), in(text), text.size(),
         reinterpret_cast<unsigned char*>(result.data()), nullptr);
    return result;
  }
  static std::string base64(const std::string& bytes) {
    std::string result((bytes.size() + 2) / 3 * 4 + 1, '\0');
    EVP_EncodeBlock(reinterpret_cast<unsigned char*>(result.data()), in(bytes),
                    static_cast<int>(bytes.size()));
    result.pop_back();
    return result;
  }

  std::string client_final_;
  std::string server_final_;
};

}  // namespace proto_pg::wire::test
