#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/thread_pool.hpp>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <tuple>

#include "proto_pg/wire/scram.hpp"

namespace proto_pg::client {

/// SCRAM keys per (password, salt, iterations), derived on threads of its own so that no worker's loop waits for
/// PBKDF2, and remembered, so that thousands of sessions of one user cost one derivation. Shared by all workers.
class ScramKeyCache {
 public:
  /// `remember` false: every login derives its keys anew (--no-scram-cache).
  explicit ScramKeyCache(bool remember = true);

  /// Resumes on the caller's executor. Concurrent askers for one key share one derivation.
  boost::asio::awaitable<wire::ScramKeys> keys(std::string password, std::string salt,
                                               std::uint32_t iterations);

 private:
  using Key = std::tuple<std::string, std::string, std::uint32_t>;

  const bool remember_;
  std::mutex mutex_;
  std::map<Key, wire::ScramKeys> known_;
  boost::asio::thread_pool threads_;
};

}  // namespace proto_pg::client
