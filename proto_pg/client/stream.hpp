#pragma once

#include <chrono>
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
  std::string version;         ///< "TLSv1.3"
  std::string cipher;          ///< "TLS_AES_256_GCM_SHA384"
  bool verified = false;       ///< chain checked against a root
  bool host_verified = false;  ///< and the name or address too (verify-full)
};

/// TCP, Unix or TLS behind non-blocking `try_read` and `try_write` and one `wait`. Owns the socket and the
/// OpenSSL object; knows nothing of PostgreSQL. Not movable: coroutines and the Poller refer to it.
///
///     while (stream.readable()) { try_read … }   // costs no system call when nothing has arrived
///     co_await stream.wait(stream.read_needs());
class Stream {
 public:
  struct Transfer {
    std::size_t bytes = 0;
    bool would_block = false;  ///< wait and try again
    std::error_code error;     ///< Errc::connection_closed at the end of the stream, or the system's error
  };

  explicit Stream(Poller& poller);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// Takes a connected or connecting non-blocking socket; closes it on failure.
  std::error_code open(int fd);
  /// Closes at once. Only by the owning coroutine; `shutdown` is for everyone else on the worker.
  void close();
  bool is_open() const { return fd_ >= 0; }

  /// Client handshake on the open socket. `host` for SNI and name checks. On failure `reason` gets a
  /// sentence.
  asio::awaitable<std::error_code> start_tls(const TlsContext& context, const std::string& host,
                                             std::string& reason);

  Transfer try_read(std::span<char> into);
  /// The same on a stream that is `stamped`. `received`: when the kernel got the last byte of it
  /// (CLOCK_REALTIME); unchanged if the kernel does not say.
  Transfer try_read_stamped(std::span<char> into, std::chrono::nanoseconds& received);
  /// What it did not take must be offered again, whole, before anything else (TLS has it half encrypted).
  Transfer try_write(std::string_view bytes);

  /// A `try_read` may bring something; without it, wait first.
  bool readable() const;
  bool writable() const { return poller_.ready(slot_, Readiness::writable); }
  /// What to wait for before the next `try_read`.
  Readiness read_needs() const { return read_wants_write_ ? Readiness::either : Readiness::readable; }
  /// Makes `readable` true once: looks for what may have arrived since the last wait.
  void probe() { poller_.assume(slot_, Readiness::readable); }
  asio::awaitable<void> wait(Readiness wanted) {
    if (tls_unread_) probe();  // the socket can be empty while OpenSSL is not
    return poller_.wait(slot_, wanted);
  }

  /// Ends both directions and wakes the waiter; the descriptor stays valid until its owner closes it. A
  /// socket that is opened later is shut down at once, until `reset`.
  void shutdown();
  bool shut_down() const { return shut_down_; }
  void reset() { shut_down_ = false; }

  /// Asks the kernel to stamp what it receives from now on (SO_TIMESTAMPING; on TCP only). Best effort.
  void stamp_receipts();
  bool stamped() const { return stamped_; }

  bool tls() const { return ssl_ != nullptr; }
  TlsFacts tls_facts() const;
  /// OpenSSL's words for the last Errc::tls_failed after the handshake ("tlsv1 alert unknown ca").
  const std::string& tls_failure() const { return tls_failure_; }
  /// Data of the tls-server-end-point channel binding (RFC 5929); empty without TLS or for an unknown hash.
  std::string certificate_hash() const;
  int fd() const { return fd_; }

 private:
  struct SslDeleter {
    void operator()(ssl_st* ssl) const;
  };
  struct Bio;

  Transfer plain_read(std::span<char> into) { return read_with(into, nullptr); }
  Transfer read_with(std::span<char> into, std::chrono::nanoseconds* received);
  Transfer plain_write(std::string_view bytes);
  Transfer tls_read(std::span<char> into);
  Transfer tls_write(std::string_view bytes);
  std::error_code tls_error(int ssl_error);
  bool prepare_tls(const TlsContext& context, const std::string& host);
  std::string handshake_failure(const std::string& host) const;

  Poller& poller_;
  Poller::Slot slot_;
  int fd_ = -1;
  std::unique_ptr<ssl_st, SslDeleter> ssl_;
  std::error_code tls_io_error_;  ///< what the socket said beneath OpenSSL's last failure
  std::string tls_failure_;
  std::string rejected_certificate_;  ///< subject of the server certificate that failed its checks
  bool tls_host_verified_ = false;
  bool tls_unread_ = false;  ///< OpenSSL may hold a whole record although the socket is empty
  bool read_wants_write_ = false;
  bool shut_down_ = false;
  bool stamped_ = false;
};

}  // namespace proto_pg::client
