#include "proto_pg/client/tls_context.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "proto_pg/client/private_key.hpp"

namespace proto_pg::client {
namespace {

int openssl_version(TlsVersion version) {
  switch (version) {
    case TlsVersion::any:
      return 0;
    case TlsVersion::tls1:
      return TLS1_VERSION;
    case TlsVersion::tls1_1:
      return TLS1_1_VERSION;
    case TlsVersion::tls1_2:
      return TLS1_2_VERSION;
    case TlsVersion::tls1_3:
      return TLS1_3_VERSION;
  }
  return 0;
}

/// `name` below ~/.postgresql, or empty without a home.
std::string default_file(const Surroundings& surroundings, std::string_view name) {
  if (surroundings.home.empty()) return {};
  return surroundings.home + "/.postgresql/" + std::string(name);
}

/// False if there is no such file; throws if that cannot be found out.
bool exists(const std::string& file) {
  if (file.empty()) return false;
  struct stat status{};
  if (::stat(file.c_str(), &status) == 0) return true;
  if (errno == ENOENT || errno == ENOTDIR) return false;
  throw ConnectInfoError("file \"" + file + "\" cannot be read: " + std::strerror(errno));
}

bool wants_tls(const ConnectInfo& info) {
  return info.sslmode != SslMode::disable &&
         std::ranges::any_of(info.hosts, [](const Host& host) { return !host.unix_socket(); });
}

void load_revocations(SSL_CTX* context, const std::string& file) {
  auto* store = SSL_CTX_get_cert_store(context);
  auto* lookup = X509_STORE_add_lookup(store, X509_LOOKUP_file());
  if (lookup == nullptr || X509_load_crl_file(lookup, file.c_str(), X509_FILETYPE_PEM) <= 0) {
    throw ConnectInfoError("certificate revocation list \"" + file +
                           "\" cannot be loaded: " + take_openssl_reason());
  }
  X509_STORE_set_flags(store, X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL);
}

}  // namespace

TlsContext::TlsContext(const ConnectInfo& info, const Surroundings& surroundings) : sends_sni_(info.sslsni) {
  if (!wants_tls(info)) return;
  ERR_clear_error();
  context_.reset(SSL_CTX_new(TLS_client_method()));
  if (!context_) throw ConnectInfoError("OpenSSL cannot start: " + take_openssl_reason());
  auto* context = context_.get();
  if (SSL_CTX_set_min_proto_version(context, openssl_version(info.ssl_min_protocol_version)) != 1 ||
      SSL_CTX_set_max_proto_version(context, openssl_version(info.ssl_max_protocol_version)) != 1) {
    throw ConnectInfoError(
        "OpenSSL does not support the TLS versions of ssl_min_protocol_version and ssl_max_protocol_version");
  }
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_NO_TICKET);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  // A batch is written in parts out of a buffer that may grow meanwhile; idle sessions give their buffers
  // back.
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                SSL_MODE_RELEASE_BUFFERS);
  load_roots(info, surroundings);
  load_certificate(info, surroundings);
}

TlsContext::~TlsContext() = default;

void TlsContext::Deleter::operator()(ssl_ctx_st* context) const { SSL_CTX_free(context); }

void TlsContext::load_roots(const ConnectInfo& info, const Surroundings& surroundings) {
  auto* context = context_.get();
  const bool demanded = info.sslmode == SslMode::verify_ca || info.sslmode == SslMode::verify_full;
  const bool named = !info.sslrootcert.empty();
  const auto file = named ? info.sslrootcert : default_file(surroundings, "root.crt");
  if (file == "system") {
    if (info.sslmode != SslMode::verify_full) {
      throw ConnectInfoError(
          "sslrootcert=system needs sslmode=verify-full: a public authority certifies anyone");
    }
    if (SSL_CTX_set_default_verify_paths(context) != 1) {
      throw ConnectInfoError("the system's root certificates cannot be loaded: " + take_openssl_reason());
    }
  } else if (exists(file)) {
    if (SSL_CTX_load_verify_locations(context, file.c_str(), nullptr) != 1) {
      throw ConnectInfoError("root certificate file \"" + file +
                             "\" cannot be loaded: " + take_openssl_reason());
    }
    const auto revoked = default_file(surroundings, "root.crl");
    if (exists(revoked)) load_revocations(context, revoked);
  } else if (demanded) {
    throw ConnectInfoError("root certificate file \"" + (file.empty() ? "~/.postgresql/root.crt" : file) +
                           "\" does not exist: name one with sslrootcert, take the system's with "
                           "sslrootcert=system, or change sslmode to not verify the server");
  } else {
    if (named && surroundings.warn) {
      surroundings.warn("root certificate file \"" + file + "\" does not exist: the server is not verified");
    }
    return;
  }
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  verifies_chain_ = true;
  verifies_host_ = info.sslmode == SslMode::verify_full;
}

void TlsContext::load_certificate(const ConnectInfo& info, const Surroundings& surroundings) {
  auto* context = context_.get();
  const bool named = !info.sslcert.empty();
  const auto file = named ? info.sslcert : default_file(surroundings, "postgresql.crt");
  if (!exists(file)) {
    if (named && surroundings.warn) {
      surroundings.warn("certificate file \"" + file + "\" does not exist: the server gets no certificate");
    }
    return;
  }
  if (SSL_CTX_use_certificate_chain_file(context, file.c_str()) != 1) {
    throw ConnectInfoError("certificate file \"" + file + "\" cannot be loaded: " + take_openssl_reason());
  }
  auto key_file = info.sslkey.empty() ? default_file(surroundings, "postgresql.key") : info.sslkey;
  if (key_file.empty()) {
    throw ConnectInfoError("certificate \"" + file + "\" needs its private key: name it with sslkey");
  }
  const auto key = load_private_key(key_file, file);
  if (X509_check_private_key(SSL_CTX_get0_certificate(context), key.get()) != 1) {
    ERR_clear_error();
    throw ConnectInfoError("private key file \"" + key_file + "\" does not match certificate \"" + file +
                           "\"");
  }
  if (SSL_CTX_use_PrivateKey(context, key.get()) != 1) {
    throw ConnectInfoError("private key file \"" + key_file + "\" cannot be used: " + take_openssl_reason());
  }
}

}  // namespace proto_pg::client
