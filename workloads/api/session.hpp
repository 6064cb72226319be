#pragma once

#include <array>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "proto_pg/client/connection.hpp"
#include "workloads/api/statement.hpp"
#include "workloads/random/generator.hpp"

namespace workloads::api {

using Clock = std::chrono::steady_clock;
using proto_pg::wire::Outcome;

/// The statements of one run in all their variants, as every session sends them.
struct StatementCatalog {
  std::vector<StatementSpec> specs;                      ///< by StatementId
  std::vector<std::vector<PreparedStatement>> variants;  ///< [StatementId][variant]
  Protocol protocol = Protocol::prepared;

  std::size_t size() const;  ///< statements in all variants
};

/// What the session noted of one executed statement, for the engine to record with its transaction.
struct StatementSample {
  StatementId statement = 0;
  bool timed = false;  ///< false in a flight of several: a statement's own latency does not exist then
  Clock::duration latency{0};    ///< if timed
  bool first_of_flight = false;  ///< it cost a round trip
  Outcome outcome;
  bool unexpected = false;  ///< good, but the row count is not what the statement declared
};

/// All that one logical client may use in a transaction: statements, a generator of its own, its number.
/// Lives on one worker; not movable.
class Session {
 public:
  Session(const StatementCatalog& catalog, proto_pg::client::Poller& poller, std::uint64_t seed,
          std::uint32_t number, std::uint32_t sessions);

  /// --- for workloads ---
  random::Generator& random() { return random_; }
  std::uint32_t number() const { return number_; }      ///< 0-based
  std::uint32_t sessions() const { return sessions_; }  ///< of the whole run

  /// One statement, one round trip. Parameters are std::int64_t or std::string_view.
  template <class... P>
  boost::asio::awaitable<Outcome> execute(StatementId id, std::size_t variant, const P&... parameters) {
    add(id, variant, parameters...);
    return flush();
  }

  /// Adds a statement to the flight that `flush` sends.
  template <class... P>
  void add(StatementId id, std::size_t variant, const P&... parameters) {
    const std::array<Parameter, sizeof...(P)> list{Parameter(parameters)...};
    append(id, variant, list);
  }
  /// Ends the current statement's implicit transaction: what follows fails or succeeds on its own.
  void sync();
  /// Sends the flight (with a closing Sync if the last call was not `sync`) and waits for all replies.
  /// Returns the first outcome that is not good, else the last.
  boost::asio::awaitable<Outcome> flush();

  /// --- for the engine ---
  proto_pg::client::Connection& connection() { return connection_; }
  const proto_pg::client::Connection& connection() const { return connection_; }
  const StatementCatalog& catalog() const { return catalog_; }
  /// After `connection().open`: parses all statements, if the protocol wants them prepared. A refusal by the
  /// server is in the returned outcome and `connection().last_error()`.
  boost::asio::awaitable<Outcome> prepare();
  void begin_transaction(Clock::time_point dispatch);
  /// Of the transaction since begin_transaction, in the order sent.
  std::span<const StatementSample> samples() const { return samples_; }
  /// When the last reply was handled, or the transaction began: the age of what is in flight.
  Clock::time_point last_reply() const { return mark_; }
  /// Why the link died, after an outcome that is `lost`.
  std::error_code link_error() const { return link_error_; }

 private:
  void append(StatementId id, std::size_t variant, std::span<const Parameter> parameters);
  void append_bind_execute(const PreparedStatement& statement, std::string_view name,
                           std::span<const Parameter> parameters);
  Outcome note_flight();
  void append_simple(const PreparedStatement& statement, std::span<const Parameter> parameters);

  const StatementCatalog& catalog_;
  proto_pg::client::Connection connection_;
  random::Generator random_;
  std::uint32_t number_;
  std::uint32_t sessions_;
  Clock::time_point mark_;
  std::error_code link_error_;
  std::vector<StatementId> flight_;
  bool synced_ = true;
  std::vector<StatementSample> samples_;
  std::vector<proto_pg::wire::Format> formats_;  ///< scratch of one Bind
  std::string literal_;                          ///< scratch of one Query
};

}  // namespace workloads::api
