#include <boost/asio/this_coro.hpp>

#include "proto_pg/client/connection.hpp"
#include "proto_pg/client/deadline.hpp"
#include "proto_pg/client/dial.hpp"
#include "proto_pg/client/tls_context.hpp"
#include "proto_pg/wire/frontend.hpp"

namespace proto_pg::client {
namespace {

/// The key must not travel in plain where the connection was encrypted.
asio::awaitable<std::error_code> encrypt(Stream& stream, const ConnectContext& context, const Host& host) {
  const TlsAnswer answer = co_await request_tls(stream);
  if (answer.kind == TlsAnswer::Kind::broken) co_return answer.error;
  if (answer.kind == TlsAnswer::Kind::refused) co_return wire::Errc::refused_by_server;
  if (answer.kind == TlsAnswer::Kind::no) co_return wire::Errc::tls_not_offered;
  std::string reason;
  const std::error_code error = co_await stream.start_tls(context.tls, host.host, reason);
  co_return error;
}

/// The server answers a cancel request by closing, once the signal is sent.
asio::awaitable<std::error_code> wait_for_close(Stream& stream) {
  Stream::Transfer transfer;
  char byte = 0;
  while (!transfer.error) {
    transfer = stream.try_read({&byte, 1});
    if (transfer.would_block) co_await stream.wait(stream.read_needs());
  }
  if (transfer.error == wire::Errc::connection_closed) transfer.error.clear();
  co_return transfer.error;
}

asio::awaitable<std::error_code> send_cancel(Stream& stream, const ConnectContext& context, const Host& host,
                                             const Endpoint& endpoint, std::string_view request, bool tls) {
  std::error_code error = co_await connect_socket(stream, context.info, endpoint);
  if (!error && tls) error = co_await encrypt(stream, context, host);
  if (!error) error = co_await write_all(stream, request);
  if (!error) error = co_await wait_for_close(stream);
  co_return error;
}

}  // namespace

asio::awaitable<std::error_code> cancel(Poller& poller, const ConnectContext& context, const Host& host,
                                        const Endpoint& endpoint, std::int32_t process_id,
                                        std::string secret_key, bool tls) {
  Stream stream(poller);
  const auto executor = co_await asio::this_coro::executor;
  const Deadline deadline(executor, stream, context.info.connect_timeout);
  wire::SendBuffer request;
  wire::encode_cancel_request(request, process_id, secret_key);
  std::error_code error = request.error();
  if (!error) error = co_await send_cancel(stream, context, host, endpoint, request.view(), tls);
  if (deadline.expired()) error = wire::Errc::timed_out;
  co_return error;
}

}  // namespace proto_pg::client
