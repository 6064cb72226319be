#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include "proto_pg/client/poller.hpp"

struct ssl_st;

namespace proto_pg::client {

class TlsContext;

/// What is in force on an encrypted stream; for reports.
struct TlsFacts {
  std::string version;  ///< "TLSv1.3"
  std::string cipher;   ///< "TLS_AES_256_GCM_SHA384"
  bool verified = false;         ///< chain checked against a root
  bool host_verified = false;    ///< and the name or address too (verify-full)
};

/// TCP, Unix or TLS behind non-blocking `try_read` and `try_write` and one `wait`. Owns the socket and the
/// OpenSSL object; knows nothing of PostgreSQL. Not movable: coroutines and the Poller refer to it.
class Stream {
 public:
  struct Transfer {
    std::size_t bytes = 0;
    bool would_block = false;  ///< wait for `wanted()` and try again
    std::error_code error;     ///< Errc::connection_closed at the end of the stream, or the system's error
  };

  explicit Stream(Poller& poller);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// Takes a connected (or connecting) non-blocking socket.
  void open(int fd);
  /// Closes at once. Only by the owning coroutine; `shutdown` is for everyone else on the worker.
  void close();
  bool is_open() const { return fd_ >= 0; }

  /// Client handshake on the open socket. `host` for SNI and name checks. On failure `reason` gets a sentence.
  asio::awaitable<std::error_code> start_tls(const TlsContext& context, const std::string& host,
                                             std::string& reason);

  Transfer try_read(std::span<char> into);
  Transfer try_write(std::string_view bytes);
  asio::awaitable<void> wait(Readiness wanted);

  /// Ends both directions and wakes the waiter; the descriptor stays valid until its owner closes it.
  void shutdown();

  bool tls() const { return ssl_ != nullptr; }
  TlsFacts tls_facts() const;
  /// Data of the tls-server-end-point channel binding (RFC 5929); empty without TLS or for an unknown hash.
  std::string certificate_hash() const;
  int fd() const { return fd_; }

 private:
  struct SslDeleter {
    void operator()(ssl_st* ssl) const;
  };

  Poller& poller_;
  Poller::Slot slot_;
  int fd_ = -1;
  std::unique_ptr<ssl_st, SslDeleter> ssl_;
  bool tls_host_verified_ = false;
};

}  // namespace proto_pg::client
