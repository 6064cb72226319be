// COPY FROM STDIN by the simple query protocol (manual: "COPY Operations"): after an error the server ignores
// what is still on its way, and answers ReadyForQuery at once, so the session stays usable.

#include "proto_pg/client/connection.hpp"
#include "proto_pg/wire/frontend.hpp"

namespace proto_pg::client {
namespace {

constexpr ReplyVisitor kNoVisitor;

}  // namespace

asio::awaitable<Connection::Result> Connection::copy_in_begin(std::string sql) {
  begin_batch();
  tracker_.begin_statement();
  tracker_.expect(wire::Question::copy_in_query);
  wire::encode_query(out_, sql);
  goal_ = Goal::copy_begun;
  const std::error_code error = co_await exchange(kNoVisitor);
  out_.clear();
  sent_ = 0;
  co_return result_of(error);
}

asio::awaitable<Connection::Result> Connection::copy_in_send() {
  goal_ = Goal::copy_sent;
  stream_.probe();
  const std::error_code error = co_await exchange(kNoVisitor);
  out_.clear();
  sent_ = 0;
  co_return result_of(error);
}

asio::awaitable<Connection::Result> Connection::copy_in_end() {
  wire::encode_copy_done(out_);
  goal_ = Goal::answered;
  const std::error_code error = co_await exchange(kNoVisitor);
  co_return result_of(error);
}

}  // namespace proto_pg::client
