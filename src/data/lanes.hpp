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
  Lane(proto_pg::client::Connection& connection, const std::atomic<bool>& stopping)
      : connection_(connection), stopping_(stopping) {}

  proto_pg::client::Connection& connection() { return connection_; }
  /// Another lane failed, or the user wants to stop: return soon.
  bool stopping() const { return stopping_; }

  using Rows = decltype(proto_pg::client::Connection::Result::rows);
  /// The rows of one or more statements. Throws DataError: "cannot <doing>: …".
  asio::awaitable<Rows> query(std::string sql, std::string doing);
  /// Throws DataError unless the result is good.
  void require(const proto_pg::client::Connection::Result& result, std::string_view doing) const;

 private:
  proto_pg::client::Connection& connection_;
  const std::atomic<bool>& stopping_;
};

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
