#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pgload::stats {

/// What the server counted while the window and the drain lasted: differences of pg_stat_database,
/// pg_stat_wal and pg_stat_bgwriter, and samples of pg_stat_activity. Of the first host; WAL, checkpoints and
/// autovacuum of the whole server. What a server does not have is absent.
struct ServerActivity {
  /// Of the database, ours among them, from the start of the load to its end, warm-up included: backends tell
  /// their counts up to a second late, so only over that time can they be laid beside ours. Without the
  /// monitor's own and those that opened the sessions.
  std::optional<std::uint64_t> commits, rollbacks;
  std::uint64_t ours = 0;  ///< of that time: transactions that our sessions saw end, either way
  /// Of the database in the time of all the rest, as told by then: what to divide that by.
  std::optional<std::uint64_t> transactions;
  std::optional<std::uint64_t> blocks_read, blocks_hit;
  std::optional<std::uint64_t> deadlocks, temp_bytes;
  std::optional<std::uint64_t> wal_bytes, wal_records, wal_full_page_images;
  std::optional<std::uint64_t> checkpoints_timed, checkpoints_requested;
  std::optional<std::uint64_t> autovacuum_runs;
  /// Where our backends were when they were looked at once a second: "CPU", "Client", "Lock" … with the
  /// number of sightings, most first.
  std::vector<std::pair<std::string, std::uint64_t>> waits;
  std::uint32_t samples = 0;                                  ///< how often they were looked at
  std::vector<std::pair<std::string, std::string>> settings;  ///< shared_buffers, fsync …
};

}  // namespace pgload::stats
