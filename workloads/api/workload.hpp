#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/api/data_set.hpp"
#include "workloads/api/option.hpp"
#include "workloads/api/statement.hpp"

namespace workloads::api {

class Session;

/// A workload says what one transaction is, and on which data. It measures nothing and opens no connection;
/// one object serves all sessions of a run at once, so `transaction` and `append` are const and keep their
/// state in the Session.
class Workload {
 public:
  virtual ~Workload() = default;

  /// --- data ---
  virtual std::vector<TableSpec> tables() const = 0;
  virtual std::optional<TableFamily> family() const { return std::nullopt; }
  /// Called before the run when the user did not say how much data there is.
  virtual void adopt(const FoundData& found) { (void)found; }
  /// "4 tables x 100,000 rows"; "keys uniform": two parts of the report's data line.
  virtual std::string data_summary() const = 0;
  virtual std::string key_summary() const = 0;

  /// --- statements and transactions ---
  /// Valid after `adopt`, same order and length before and after.
  virtual std::vector<StatementSpec> statements() const = 0;
  virtual std::vector<std::string> kinds() const = 0;
  /// One transaction. Returns early when a statement fails: the engine rolls back, counts and maybe retries.
  virtual boost::asio::awaitable<KindId> transaction(Session& session) const = 0;

  /// --- pipelining of whole transactions (--pipeline N) ---
  /// True if a transaction is one statement, so that several can be in flight.
  virtual bool single_statement() const { return false; }
  /// For single_statement workloads: draws the parameters and adds the statement to the session's batch.
  virtual KindId append(Session& session) const;
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
