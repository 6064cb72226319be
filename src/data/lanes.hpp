#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "proto_pg/client/connection.hpp"
#include "src/data/data.hpp"

namespace pgload::data {

namespace asio = boost::asio;

/// One connection of set-up work.
class Lane {
 public:
  Lane(proto_pg::client::Connection& connection, workloads::api::Dialect dialect,
       const std::atomic<bool>& stopping)
      : connection_(connection), dialect_(dialect), stopping_(stopping) {}

  proto_pg::client::Connection& connection() { return connection_; }
  workloads::api::Dialect dialect() const { return dialect_; }
  /// Another lane failed, or the user wants to stop: return soon.
  bool stopping() const { return stopping_; }

  using Rows = decltype(proto_pg::client::Connection::Result::rows);
  /// The rows of one or more statements. Throws DataError: "cannot <doing>: …".
  asio::awaitable<Rows> query(std::string sql, std::string doing);
  /// A statement that defines something, tried again where products with a distributed catalog ask for that
  /// (40001, 40P01, a catalog that has moved on).
  asio::awaitable<proto_pg::client::Connection::Result> define(std::string sql);
  /// Throws DataError unless the result is good.
  void require(const proto_pg::client::Connection::Result& result, std::string_view doing) const;

 private:
  proto_pg::client::Connection& connection_;
  workloads::api::Dialect dialect_;
  const std::atomic<bool>& stopping_;
};

/// Whether a definition that failed so may succeed the next time.
bool worth_retrying(const proto_pg::wire::ServerError& error);

using LaneBody = std::function<asio::awaitable<void>(Lane&)>;

/// Opens `count` connections, spread over the hosts (the i-th starts at the i-th host, and takes the next one
/// if that does not answer), and runs `body` in each, on at most four threads: encoding rows is work for a
/// processor. Blocks until all have returned. `tick` is called on this thread some times a second; once it
/// returns true, what runs on the server is cancelled. Throws the first exception of a lane, or Interrupted.
void run_lanes(const Target& target, std::uint32_t count, const LaneBody& body,
               const std::function<bool()>& tick);

/// One connection; nothing to interrupt it.
void run_lane(const Target& target, const LaneBody& body);

}  // namespace pgload::data
