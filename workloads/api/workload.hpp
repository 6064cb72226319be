#pragma once

#include <boost/asio/awaitable.hpp>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "proto_pg/wire/sqlstate.hpp"
#include "workloads/api/data_set.hpp"
#include "workloads/api/dialect.hpp"
#include "workloads/api/option.hpp"
#include "workloads/api/statement.hpp"

namespace workloads::api {

class Session;
struct SessionState;

/// A workload says what one transaction is, and on which data. It measures nothing and opens no connection;
/// one object serves all sessions of a run at once, so `transaction` and `append` are const and keep their
/// state in the session's SessionState.
class Workload {
 public:
  virtual ~Workload() = default;

  /// Called first of all, before anything else is asked. Throws OptionError for options that the product
  /// cannot fulfil.
  virtual void speak(Dialect dialect) { (void)dialect; }

  /// --- data ---
  virtual std::vector<TableSpec> tables() const = 0;
  virtual std::optional<TableFamily> family() const { return std::nullopt; }
  /// Called before the run when the user did not say how much data there is.
  virtual void adopt(const FoundData& found) { (void)found; }
  /// The options whose values `adopt` decided, by name, as they are in force.
  virtual std::map<std::string, std::string> adopted() const { return {}; }
  /// "4 tables x 100,000 rows"; "keys uniform": two parts of the report's data line.
  virtual std::string data_summary() const = 0;
  virtual std::string key_summary() const = 0;

  /// --- statements and transactions ---
  /// Valid after `adopt`, same order and length before and after.
  virtual std::vector<StatementSpec> statements() const = 0;
  virtual std::vector<std::string> kinds() const = 0;
  /// What one session keeps between its transactions; made once, before it connects.
  virtual std::unique_ptr<SessionState> new_state(Session& session) const;
  /// One transaction, for workloads that need no result to go on: draws all parameters and adds all
  /// statements to the session's script. So it can be sent statement after statement, or in one flight
  /// (--pipeline).
  virtual KindId append(Session& session) const;
  /// False if `append` is not there for it: then no two transactions can share a flight.
  virtual bool in_batches() const { return true; }
  /// One transaction. Returns early when a statement fails: the engine rolls back, counts and maybe retries.
  /// As it comes: `append`, and the script is played.
  virtual boost::asio::awaitable<KindId> transaction(Session& session) const;
  /// Adds what a session still owes when it ends.
  virtual void finish(Session& session) const { (void)session; }

  /// --- errors ---
  /// Whether a transaction that failed so may be tried again.
  virtual bool retryable(proto_pg::wire::SqlState sqlstate) const;
  /// True if each statement of a transaction is a transaction of the server's: then only those that failed
  /// are sent again.
  virtual bool commits_each_statement() const { return false; }
  /// A session connects anew at the end of every N-th of its transactions, as a part of it; 0: never.
  virtual std::uint64_t reconnect_every() const { return 0; }
};

/// One line of registration.
struct Descriptor {
  std::string name;
  std::string summary;  ///< one line for `pgload list`
  std::string help;     ///< some lines for `pgload help <name>`: what it does, what a transaction is
  std::vector<OptionSpec> options;
  std::unique_ptr<Workload> (*make)(const OptionValues& options);
};

}  // namespace workloads::api
