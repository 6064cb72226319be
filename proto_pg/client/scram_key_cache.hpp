#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <memory>
#include <string>

#include "proto_pg/wire/scram.hpp"

namespace proto_pg::client {

/// SCRAM keys per (password, salt, iterations), derived on threads of its own so that no worker's loop waits
/// for PBKDF2, and remembered, so that thousands of sessions of one user cost one derivation. Shared by all
/// workers.
///
/// Outlives every coroutine that awaits `keys`. Their io_contexts live until they have been answered: a post
/// to one that is being destroyed would be a race inside Asio.
class ScramKeyCache {
 public:
  /// `remember` false: every login derives its keys anew (--no-scram-cache).
  explicit ScramKeyCache(bool remember = true);
  ~ScramKeyCache();  ///< waits for the derivation in progress, at most one per thread
  ScramKeyCache(const ScramKeyCache&) = delete;
  ScramKeyCache& operator=(const ScramKeyCache&) = delete;

  /// Resumes on the caller's executor, which runs one handler at a time. Concurrent askers for the same keys
  /// share one derivation, if it is to be remembered. `prepared_password` comes from sasl_prepare.
  boost::asio::awaitable<wire::ScramKeys> keys(std::string prepared_password, std::string salt,
                                               std::uint32_t iterations);

  /// How many derivations have been started.
  std::uint64_t derivations() const;

 private:
  class Derivations;
  std::unique_ptr<Derivations> derivations_;
};

}  // namespace proto_pg::client
