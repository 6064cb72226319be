#include "proto_pg/client/private_key.hpp"

#include <fcntl.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "proto_pg/client/connect_info.hpp"

namespace proto_pg::client {
namespace {

struct BioDeleter {
  void operator()(BIO* bio) const { BIO_free(bio); }
};
using Bio = std::unique_ptr<BIO, BioDeleter>;

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw ConnectInfoError("private key file \"" + file + "\" " + why);
}

/// libpq's rule (manual: "Client Certificates"): nobody but the owner, or root's file and a group that may
/// read.
void check_permissions(const std::string& file, const struct stat& status) {
  if (!S_ISREG(status.st_mode)) refuse(file, "is not a regular file");
  const mode_t forbidden = status.st_uid == 0 ? S_IWGRP | S_IXGRP | S_IRWXO : S_IRWXG | S_IRWXO;
  if ((status.st_mode & forbidden) == 0) return;
  std::array<char, 8> mode{};
  std::snprintf(mode.data(), mode.size(), "0%03o", static_cast<unsigned>(status.st_mode & 07777));
  refuse(file, "has mode " + std::string(mode.data()) +
                   ", so others can use it: chmod 0600, or 0640 if root owns it");
}

/// OpenSSL asks for a passphrase. Its own answer would be a prompt on the terminal.
int note_encryption(char*, int, int, void* encrypted) {
  *static_cast<bool*>(encrypted) = true;
  return -1;
}

Bio open_key(const std::string& file, const std::string& certificate) {
  // Not blocking: opening a FIFO would wait for its writer.
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0 && (errno == ENOENT || errno == ENOTDIR)) {
    refuse(file, "does not exist, but certificate \"" + certificate + "\" needs it: name it with sslkey");
  }
  if (fd < 0) refuse(file, std::string("cannot be read: ") + std::strerror(errno));
  Bio bio(BIO_new_fd(fd, BIO_CLOSE));
  struct stat status{};
  if (!bio || ::fstat(fd, &status) != 0) refuse(file, "cannot be read");
  check_permissions(file, status);
  return bio;
}

}  // namespace

void PrivateKeyDeleter::operator()(evp_pkey_st* key) const { EVP_PKEY_free(key); }

PrivateKey load_private_key(const std::string& file, const std::string& certificate) {
  const auto bio = open_key(file, certificate);
  ERR_clear_error();
  bool encrypted = false;
  PrivateKey key(PEM_read_bio_PrivateKey(bio.get(), nullptr, note_encryption, &encrypted));
  if (!key && !encrypted) {
    const auto reason = take_openssl_reason();
    if (BIO_seek(bio.get(), 0) == 0) key.reset(d2i_PrivateKey_bio(bio.get(), nullptr));
    ERR_clear_error();
    if (!key) refuse(file, "cannot be loaded: " + reason);
  }
  if (encrypted)
    refuse(file, "is encrypted: a key without a passphrase is needed (openssl pkey -in … -out …)");
  return key;
}

std::string take_openssl_reason() {
  const unsigned long code = ERR_peek_last_error();
  std::string reason = "unknown reason";
  if (ERR_SYSTEM_ERROR(code)) {
    reason = std::strerror(ERR_GET_REASON(code));
  } else if (const char* text = ERR_reason_error_string(code)) {
    reason = text;
  }
  ERR_clear_error();
  return reason;
}

}  // namespace proto_pg::client
