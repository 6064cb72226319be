#pragma once

#include <array>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proto_pg/client/connection.hpp"
#include "proto_pg/wire/send_buffer.hpp"
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

/// What a workload keeps for one session between its transactions.
struct SessionState {
  virtual ~SessionState() = default;
  /// False for statements that this session never sends, and need not prepare.
  virtual bool sends(StatementId id, std::size_t variant) const {
    (void)id, (void)variant;
    return true;
  }
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

  std::uint64_t seed() const { return seed_; }  ///< of the whole run
  template <class State>
  State& state() {
    return static_cast<State&>(*state_);
  }

  /// Adds a statement to the script. Parameters are std::int64_t or std::string_view.
  template <class... P>
  void add(StatementId id, std::size_t variant, const P&... parameters) {
    const std::array<Parameter, sizeof...(P)> list{Parameter(parameters)...};
    append(id, variant, list);
  }
  /// The same with `count` parameters, the i-th (from 0) being `draw(i)`.
  template <class Draw>
  void add_list(StatementId id, std::size_t variant, std::size_t count, Draw draw) {
    list_.clear();
    for (std::size_t i = 0; i < count; ++i) list_.emplace_back(draw(i));
    append(id, variant, list_);
  }
  /// Adds a statement that the workload has written itself (Sending::written).
  void add_query(StatementId id, std::string_view sql);
  /// Ends the implicit transaction of what was added, should it travel in a flight with what follows.
  void sync();
  /// True if several transactions share a flight.
  bool in_batch() const { return pipeline_ > 1; }

  /// Sends what was added and waits for the replies: statement after statement up to the first that fails, or
  /// with --pipeline like `flush`. Returns the first outcome that is not good, else the last.
  boost::asio::awaitable<Outcome> play();
  /// Sends what was added in one flight and waits for all replies.
  boost::asio::awaitable<Outcome> flush();
  /// One statement, one round trip.
  template <class... P>
  boost::asio::awaitable<Outcome> execute(StatementId id, std::size_t variant, const P&... parameters) {
    add(id, variant, parameters...);
    return flush();
  }
  /// Time in which the session only keeps its connection.
  boost::asio::awaitable<void> pause(Clock::duration length);

  /// --- for the engine ---
  proto_pg::client::Connection& connection() { return connection_; }
  const proto_pg::client::Connection& connection() const { return connection_; }
  const StatementCatalog& catalog() const { return catalog_; }
  /// After `connection().open`: parses all statements, if the protocol wants them prepared. A refusal by the
  /// server is in the returned outcome and `connection().last_error()`.
  boost::asio::awaitable<Outcome> prepare();
  void begin_transaction(Clock::time_point dispatch);
  /// Makes what failed and what was not sent of the script ready to be played again.
  void begin_retry(Clock::time_point now);
  void keep(std::unique_ptr<SessionState> state) { state_ = std::move(state); }
  void set_pipeline(std::uint32_t transactions) { pipeline_ = transactions; }
  /// Statements in the script, sent or not, and their messages.
  std::size_t script_length() const { return steps_.size(); }
  std::string_view script() const { return script_.view(); }
  /// Of the transaction since begin_transaction, in the order sent.
  std::span<const StatementSample> samples() const { return samples_; }
  /// When the last reply was handled, or the transaction began: the age of what is in flight.
  Clock::time_point last_reply() const { return mark_; }
  /// Why the link died, after an outcome that is `lost`.
  std::error_code link_error() const { return link_error_; }

 private:
  /// One statement of the script.
  struct Step {
    enum class State : std::uint8_t { waiting, sent, good, bad };

    StatementId statement;
    State state = State::waiting;
    bool query;               ///< a Query, which is its own Sync
    bool sync_after = false;  ///< in a flight
    std::size_t begin, end;   ///< of its messages in script_
    std::uint8_t messages;
  };

  void append(StatementId id, std::size_t variant, std::span<const Parameter> parameters);
  void append_bind_execute(const PreparedStatement& statement, std::string_view name,
                           std::span<const Parameter> parameters);
  void append_simple(const PreparedStatement& statement, std::span<const Parameter> parameters);
  void add_step(StatementId id, std::size_t begin, bool query);
  void begin_flight();
  void send(Step& step, bool sync);
  Outcome note_flight();

  const StatementCatalog& catalog_;
  proto_pg::client::Connection connection_;
  random::Generator random_;
  std::uint64_t seed_;
  std::uint32_t number_;
  std::uint32_t sessions_;
  std::uint32_t pipeline_ = 0;  ///< transactions in a flight; 0: each statement is one
  std::unique_ptr<SessionState> state_;
  Clock::time_point mark_;
  std::error_code link_error_;
  proto_pg::wire::SendBuffer script_;
  std::vector<Step> steps_;
  std::vector<StatementSample> samples_;
  std::vector<Parameter> list_;                  ///< scratch of add_list
  std::vector<proto_pg::wire::Format> formats_;  ///< scratch of one Bind
  std::string literal_;                          ///< scratch of one Query
};

}  // namespace workloads::api
