#include "proto_pg/client/dial.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <cerrno>

#include "proto_pg/wire/errc.hpp"
#include "proto_pg/wire/frontend.hpp"

namespace proto_pg::client {
namespace {

std::error_code system_error(int number) { return {number, std::system_category()}; }

bool set_option(int fd, int level, int name, std::int64_t value) {
  const int number = static_cast<int>(value);
  return ::setsockopt(fd, level, name, &number, sizeof number) == 0;
}

bool set_tcp_options(int fd, const ConnectInfo& info) {
  const Keepalives& keepalives = info.keepalives;
  bool good = set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
  if (keepalives.enabled) {
    good = good && set_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
    if (keepalives.idle.count() > 0)
      good = good && set_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, keepalives.idle.count());
    if (keepalives.interval.count() > 0)
      good = good && set_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, keepalives.interval.count());
    if (keepalives.count > 0) good = good && set_option(fd, IPPROTO_TCP, TCP_KEEPCNT, keepalives.count);
  }
  if (info.tcp_user_timeout.count() > 0)
    good = good && set_option(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, info.tcp_user_timeout.count());
  return good;
}

/// Starts to connect: 0, or errno as `connect` (or an earlier step) left it. `fd` is open for 0 and
/// EINPROGRESS.
int start_connect(const ConnectInfo& info, const Endpoint& endpoint, int& fd) {
  const auto* address = reinterpret_cast<const sockaddr*>(endpoint.storage.data());
  fd = ::socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return errno;
  int error = address->sa_family == AF_UNIX || set_tcp_options(fd, info) ? 0 : errno;
  if (error == 0 && ::connect(fd, address, static_cast<socklen_t>(endpoint.storage.size())) != 0)
    error = errno;
  if (error != 0 && error != EINPROGRESS) ::close(fd);
  return error;
}

/// Reads one byte if there is one.
Stream::Transfer read_byte(Stream& stream, char& byte) { return stream.try_read({&byte, 1}); }

/// The rest of an ErrorResponse whose type byte was read: length and fields, or the text of protocol 2.
/// Everything up to 4 GiB has a first length byte that no text begins with.
wire::ServerError decode_refusal(std::string_view rest) {
  wire::ServerError server;
  const bool fields = rest.size() > 4 && rest[0] == 0;
  if (fields && server.assign(rest.substr(4))) return server;
  server = {};
  const std::string_view text = rest.substr(0, rest.find('\0'));
  server.severity = "FATAL";
  server.message = text.substr(0, text.find_last_not_of("\r\n ") + 1);
  return server;
}

/// The server closes after a refusal: reads to the end, at most kMaxFieldBytes.
asio::awaitable<wire::ServerError> read_refusal(Stream& stream) {
  std::string rest;
  while (rest.size() < wire::ServerError::kMaxFieldBytes) {
    char byte = 0;
    const Stream::Transfer transfer = read_byte(stream, byte);
    if (transfer.error) break;
    if (transfer.would_block) {
      co_await stream.wait(Readiness::readable);
    } else {
      rest += byte;
    }
  }
  co_return decode_refusal(rest);
}

}  // namespace

asio::awaitable<std::error_code> connect_socket(Stream& stream, const ConnectInfo& info,
                                                const Endpoint& endpoint) {
  // A Unix socket whose listener's queue is full says EAGAIN and gives nothing to wait for.
  constexpr std::chrono::milliseconds kQueueRetry{2};
  const auto executor = co_await asio::this_coro::executor;
  asio::steady_timer timer(executor);
  int fd = -1;
  int error = start_connect(info, endpoint, fd);
  while (error == EAGAIN && !stream.shut_down()) {
    timer.expires_after(kQueueRetry);
    co_await timer.async_wait(asio::use_awaitable);
    error = start_connect(info, endpoint, fd);
  }
  if (error != 0 && error != EINPROGRESS) co_return system_error(error);
  const std::error_code refused = stream.open(fd);
  if (refused || error == 0) co_return refused;
  co_await stream.wait(Readiness::writable);
  if (stream.shut_down()) co_return wire::Errc::cancelled;
  socklen_t size = sizeof error;
  if (::getsockopt(stream.fd(), SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
  co_return system_error(error);
}

asio::awaitable<std::error_code> write_all(Stream& stream, std::string_view bytes) {
  while (!bytes.empty()) {
    const Stream::Transfer transfer = stream.try_write(bytes);
    if (transfer.error) co_return transfer.error;
    bytes.remove_prefix(transfer.bytes);
    if (!bytes.empty()) co_await stream.wait(Readiness::writable);
  }
  co_return std::error_code{};
}

asio::awaitable<TlsAnswer> request_tls(Stream& stream) {
  wire::SendBuffer request;
  wire::encode_ssl_request(request);
  TlsAnswer answer;
  answer.error = co_await write_all(stream, request.view());
  if (answer.error) co_return answer;
  char byte = 0;
  Stream::Transfer transfer;
  do {
    co_await stream.wait(Readiness::readable);
    transfer = read_byte(stream, byte);
  } while (transfer.would_block);
  answer.error = transfer.error;
  if (answer.error) co_return answer;
  if (byte == 'E') {
    answer.server = co_await read_refusal(stream);
    answer.kind = TlsAnswer::Kind::refused;
    co_return answer;
  }
  char surplus = 0;
  transfer = read_byte(stream, surplus);
  if (transfer.bytes > 0 || (byte != 'S' && byte != 'N')) {
    answer.error = wire::Errc::protocol_violation;
  } else if (transfer.error) {
    answer.error = transfer.error;
  } else {
    answer.kind = byte == 'S' ? TlsAnswer::Kind::yes : TlsAnswer::Kind::no;
  }
  co_return answer;
}

}  // namespace proto_pg::client
