// The encrypted half of Stream: OpenSSL over a BIO of our own on the same socket. OpenSSL's socket BIO would
// raise SIGPIPE; ours also knows from the Poller when a read can bring nothing, and saves the system call.

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>

#include <cerrno>

#include "proto_pg/client/stream.hpp"
#include "proto_pg/client/tls_context.hpp"
#include "proto_pg/wire/errc.hpp"

namespace proto_pg::client {

void Stream::SslDeleter::operator()(ssl_st* ssl) const { SSL_free(ssl); }

/// The BIO's functions; its data is the Stream.
struct Stream::Bio {
  static Stream& stream(BIO* bio) { return *static_cast<Stream*>(BIO_get_data(bio)); }

  // Reports the transfer as the BIO contract wants it: a count, -1 with the retry flag, or a failure.
  static int finish(BIO* bio, const Transfer& transfer, void (*retry)(BIO*)) {
    if (transfer.bytes > 0) return static_cast<int>(transfer.bytes);
    stream(bio).tls_io_error_ = transfer.error;
    if (transfer.would_block) retry(bio);
    return transfer.error == wire::Errc::connection_closed ? 0 : -1;
  }

  static int read(BIO* bio, char* data, int size) {
    BIO_clear_retry_flags(bio);
    Stream& self = stream(bio);
    Transfer transfer;
    if (self.poller_.ready(self.slot_, Readiness::readable)) {
      transfer = self.plain_read({data, static_cast<std::size_t>(size)});
    } else {
      transfer.would_block = true;
    }
    return finish(bio, transfer, [](BIO* b) { BIO_set_retry_read(b); });
  }

  static int write(BIO* bio, const char* data, int size) {
    BIO_clear_retry_flags(bio);
    const Transfer transfer = stream(bio).plain_write({data, static_cast<std::size_t>(size)});
    return finish(bio, transfer, [](BIO* b) { BIO_set_retry_write(b); });
  }

  static long control(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

  static BIO* make(Stream& stream) {
    static BIO_METHOD* const method = [] {
      BIO_METHOD* created = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "pgload socket");
      BIO_meth_set_read(created, read);
      BIO_meth_set_write(created, write);
      BIO_meth_set_ctrl(created, control);
      return created;
    }();
    BIO* bio = BIO_new(method);
    if (!bio) return nullptr;
    BIO_set_data(bio, &stream);
    BIO_set_init(bio, 1);
    return bio;
  }

  /// Remembers whose certificate was refused: OpenSSL forgets it before the handshake returns.
  static int on_verify(int good, X509_STORE_CTX* store) {
    X509* certificate = X509_STORE_CTX_get_current_cert(store);
    const void* ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());
    if (good || !certificate || X509_STORE_CTX_get_error_depth(store) != 0) return good;
    char name[256] = "";
    X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, name, sizeof name);
    static_cast<Stream*>(SSL_get_app_data(static_cast<const SSL*>(ssl)))->rejected_certificate_ = name;
    return good;
  }
};

bool Stream::prepare_tls(const TlsContext& context, const std::string& host) {
  rejected_certificate_.clear();
  ssl_.reset(SSL_new(context.native()));
  BIO* bio = ssl_ ? Bio::make(*this) : nullptr;
  if (!bio) return false;
  SSL* ssl = ssl_.get();
  SSL_set_bio(ssl, bio, bio);
  SSL_set_connect_state(ssl);
  SSL_set_app_data(ssl, this);
  SSL_set_verify(ssl, SSL_get_verify_mode(ssl), Bio::on_verify);
  // One read per reply instead of two.
  SSL_set_read_ahead(ssl, 1);
  ASN1_OCTET_STRING* const address = a2i_IPADDRESS(host.c_str());
  ASN1_OCTET_STRING_free(address);
  if (!address && !host.empty() && context.sends_sni() && SSL_set_tlsext_host_name(ssl, host.c_str()) != 1)
    return false;
  tls_host_verified_ = context.verifies_host();
  if (!context.verifies_host()) return true;
  if (host.empty()) return false;
  SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  return address ? X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host.c_str()) == 1
                 : SSL_set1_host(ssl, host.c_str()) == 1;
}

asio::awaitable<std::error_code> Stream::start_tls(const TlsContext& context, const std::string& host,
                                                   std::string& reason) {
  ERR_clear_error();
  if (!prepare_tls(context, host)) {
    reason = host.empty() ? std::string("a host name is needed to verify the server certificate")
                          : "TLS could not be prepared for host \"" + host + "\"";
    co_return wire::Errc::tls_failed;
  }
  for (;;) {
    co_await poller_.take_turn();
    ERR_clear_error();
    const int result = SSL_do_handshake(ssl_.get());
    if (result == 1) break;
    const int ssl_error = SSL_get_error(ssl_.get(), result);
    if (ssl_error == SSL_ERROR_WANT_READ) {
      co_await wait(Readiness::readable);
    } else if (ssl_error == SSL_ERROR_WANT_WRITE) {
      co_await wait(Readiness::writable);
    } else {
      reason = handshake_failure(host);
      co_return wire::Errc::tls_failed;
    }
  }
  tls_unread_ = true;  // session tickets may have come with the last flight
  co_return std::error_code{};
}

std::string Stream::handshake_failure(const std::string& host) const {
  const long verdict = SSL_get_verify_result(ssl_.get());
  if (verdict == X509_V_ERR_HOSTNAME_MISMATCH || verdict == X509_V_ERR_IP_ADDRESS_MISMATCH) {
    return "server certificate for \"" + rejected_certificate_ + "\" does not match host name \"" + host +
           "\"";
  }
  if (verdict != X509_V_OK) {
    return std::string("certificate verify failed: ") + X509_verify_cert_error_string(verdict);
  }
  const char* reason = ERR_reason_error_string(ERR_peek_error());
  if (tls_io_error_) return "TLS handshake failed: " + tls_io_error_.message();
  return std::string("TLS handshake failed: ") + (reason ? reason : "the server closed the connection");
}

// A peer that just closes, without close_notify, is a closed connection: PostgreSQL's own protocol says when
// a reply is complete.
std::error_code Stream::tls_error(int ssl_error) {
  if (ssl_error == SSL_ERROR_ZERO_RETURN) return wire::Errc::connection_closed;
  if (tls_io_error_) return tls_io_error_;
  if (ERR_GET_REASON(ERR_peek_error()) == SSL_R_UNEXPECTED_EOF_WHILE_READING) {
    return wire::Errc::connection_closed;
  }
  const char* reason = ERR_reason_error_string(ERR_peek_error());
  tls_failure_ = reason ? reason : "no reason given";
  return wire::Errc::tls_failed;
}

Stream::Transfer Stream::tls_read(std::span<char> into) {
  Transfer transfer;
  ERR_clear_error();
  const int result = SSL_read_ex(ssl_.get(), into.data(), into.size(), &transfer.bytes);
  // Only WANT_READ says that nothing is left: a record may be whole inside OpenSSL while the socket is empty.
  tls_unread_ = result == 1;
  read_wants_write_ = false;
  if (result == 1) return transfer;
  const int ssl_error = SSL_get_error(ssl_.get(), result);
  read_wants_write_ = ssl_error == SSL_ERROR_WANT_WRITE;
  transfer.would_block = ssl_error == SSL_ERROR_WANT_READ || read_wants_write_;
  if (!transfer.would_block) transfer.error = tls_error(ssl_error);
  return transfer;
}

Stream::Transfer Stream::tls_write(std::string_view bytes) {
  Transfer transfer;
  while (transfer.bytes < bytes.size()) {
    std::size_t count = 0;
    ERR_clear_error();
    const std::string_view rest = bytes.substr(transfer.bytes);
    const int result = SSL_write_ex(ssl_.get(), rest.data(), rest.size(), &count);
    transfer.bytes += count;
    if (result == 1) continue;
    const int ssl_error = SSL_get_error(ssl_.get(), result);
    transfer.would_block = ssl_error == SSL_ERROR_WANT_WRITE;
    if (!transfer.would_block) transfer.error = tls_error(ssl_error);
    break;
  }
  return transfer;
}

TlsFacts Stream::tls_facts() const {
  TlsFacts facts;
  if (!ssl_) return facts;
  facts.version = SSL_get_version(ssl_.get());
  facts.cipher = SSL_get_cipher_name(ssl_.get());
  facts.verified =
      SSL_get_verify_mode(ssl_.get()) != SSL_VERIFY_NONE && SSL_get_verify_result(ssl_.get()) == X509_V_OK;
  facts.host_verified = facts.verified && tls_host_verified_;
  return facts;
}

std::string Stream::certificate_hash() const {
  X509* certificate = ssl_ ? SSL_get0_peer_certificate(ssl_.get()) : nullptr;
  int digest = NID_undef;
  if (!certificate || X509_get_signature_info(certificate, &digest, nullptr, nullptr, nullptr) != 1)
    return {};
  if (digest == NID_md5 || digest == NID_sha1) digest = NID_sha256;  // RFC 5929 section 4.1
  const EVP_MD* function = EVP_get_digestbynid(digest);
  unsigned char hash[EVP_MAX_MD_SIZE];
  unsigned int bytes = 0;
  if (!function || X509_digest(certificate, function, hash, &bytes) != 1) return {};
  return std::string(reinterpret_cast<const char*>(hash), bytes);
}

}  // namespace proto_pg::client
