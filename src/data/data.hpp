#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/api/workload.hpp"

namespace proto_pg::client {
struct ConnectContext;
}

namespace pgload::data {

/// Set-up that cannot go on: one or two plain lines for people.
struct DataError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// `stop` became true.
struct Interrupted : DataError {
  Interrupted() : DataError("interrupted") {}
};

/// The server asks for a password, and none is known.
struct PasswordMissing : DataError {
  using DataError::DataError;
};

struct PreparePlan {
  std::uint64_t seed = 0;
  std::uint32_t connections = 4;       ///< parallel COPY streams
  bool recreate = false;               ///< drop what exists
  bool resume = false;                 ///< fill what is missing
  std::uint64_t chunk_rows = 100'000;  ///< one COPY, one transaction
  workloads::api::Dialect dialect = workloads::api::Dialect::postgres;
  std::optional<bool> index_first{};  ///< indexes before the rows; none: as the dialect's own tools do
  std::optional<bool> by_insert{};    ///< INSERTs of many rows instead of COPY; none: what the dialect has
};

/// The plan with what the dialect decides filled in.
PreparePlan settled(PreparePlan plan, workloads::api::Dialect dialect);

/// A named step as it ends, or progress inside one.
struct PrepareProgress {
  std::string step;              ///< "load", "index k_1" or "index of 12 tables", "analyze", "kept sbtest1"
  std::uint64_t rows_done = 0;   ///< of the load, with the rows that a resumed load found
  std::uint64_t rows_total = 0;  ///< of the load
  std::uint64_t bytes = 0;       ///< COPY bytes sent
  std::chrono::nanoseconds elapsed{0};  ///< 0: nothing was done
  bool finished = false;                ///< of this step
};

struct PrepareSummary {
  std::uint64_t tables_loaded = 0, tables_kept = 0;
  std::uint64_t rows = 0, bytes = 0;  ///< sent
  std::chrono::nanoseconds load_time{0}, total_time{0};
};

/// Where to connect for set-up work: the first host of the list that answers; a load spreads its connections
/// over the list.
struct Target {
  const proto_pg::client::ConnectContext& context;
  workloads::api::Dialect dialect = workloads::api::Dialect::postgres;
};

/// Connects once, and does nothing. Throws DataError; PasswordMissing if that is all that is in the way.
void knock(const Target& target);

/// Which product answers there. Throws DataError.
workloads::api::Dialect detect_dialect(const Target& target);

/// Gives `print` every statement that `prepare` would send to an empty database, in its order, without a
/// server; `plan` is settled.
void dry_run(const workloads::api::Workload& workload, const PreparePlan& plan,
             const std::function<void(std::string_view statement)>& print);

/// Creates, loads (binary COPY, parallel over tables and over ranges inside a table), then indexes, then
/// ANALYZE. Complete tables are kept, half-filled ones refused unless `recreate` or `resume`. Throws
/// DataError. Both functions are called on this thread, some times a second. Once `stop` is true, what runs
/// is cancelled, and Interrupted is thrown; whole chunks stay, for `resume`.
PrepareSummary prepare(const Target& target, const workloads::api::Workload& workload,
                       const PreparePlan& plan, const std::function<void(const PrepareProgress&)>& progress,
                       const std::function<bool()>& stop);

/// Reads the workload's tables and indexes into the server's memory: by pg_prewarm where it is installed,
/// else by scans. Calls `progress` for each with what was done. Throws DataError.
void warm_up(const Target& target, const workloads::api::Workload& workload,
             const std::function<void(std::string_view)>& progress);

/// Drops the workload's tables. Returns the names of those that existed. Throws DataError.
std::vector<std::string> cleanup(const Target& target, const workloads::api::Workload& workload);

/// Which tables of the family are there and how many rows the smallest has: cheap on a huge table (never
/// count(*)). Zero tables: nothing there. Throws DataError.
workloads::api::FoundData find(const Target& target, const workloads::api::Workload& workload);

/// Before a run: do the workload's tables, columns and rows exist? Cheap on a huge distributed table:
/// max(key) where the planner shows an index scan, else some twenty keys near N and beyond it; gaps are no
/// reason to refuse. Returns notes ("sbtest1 has more rows than asked: …"). Throws DataError ("run `pgload
/// prepare` first").
std::vector<std::string> check(const Target& target, const workloads::api::Workload& workload);

}  // namespace pgload::data
