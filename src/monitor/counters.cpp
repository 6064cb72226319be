#include "src/monitor/counters.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace pgload::monitor {

namespace {

using stats::ServerActivity;

constexpr int kAnyVersion = std::numeric_limits<int>::max();

std::optional<std::uint64_t> count_of(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  std::uint64_t count = 0;
  const char* const end = text->data() + text->size();
  const auto [stopped, error] = std::from_chars(text->data(), end, count);
  return error == std::errc() && stopped == end ? std::optional(count) : std::nullopt;
}

/// Takes the digits off the front of `text`.
int leading_number(std::string_view& text) {
  int number = 0;
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return 0;
  text.remove_prefix(static_cast<std::size_t>(stopped - text.data()));
  return number;
}

}  // namespace

// Manual: "The Cumulative Statistics System". Checkpoints moved to a view of their own in version 17.
std::span<const View> views() {
  using A = ServerActivity;
  static const std::vector<View> list{
      {"pg_stat_database",
       0,
       kAnyVersion,
       "SELECT xact_commit, xact_rollback, blks_read, blks_hit, deadlocks, temp_bytes "
       "FROM pg_catalog.pg_stat_database WHERE datname = pg_catalog.current_database()",
       {&A::commits, &A::rollbacks, &A::blocks_read, &A::blocks_hit, &A::deadlocks, &A::temp_bytes}},
      {"pg_stat_wal",
       140000,
       kAnyVersion,
       "SELECT wal_bytes, wal_records, wal_fpi FROM pg_catalog.pg_stat_wal",
       {&A::wal_bytes, &A::wal_records, &A::wal_full_page_images}},
      {"pg_stat_bgwriter",
       0,
       169999,
       "SELECT checkpoints_timed, checkpoints_req FROM pg_catalog.pg_stat_bgwriter",
       {&A::checkpoints_timed, &A::checkpoints_requested}},
      {"pg_stat_checkpointer",
       170000,
       kAnyVersion,
       "SELECT num_timed, num_requested FROM pg_catalog.pg_stat_checkpointer",
       {&A::checkpoints_timed, &A::checkpoints_requested}},
      {"pg_stat_user_tables",
       0,
       kAnyVersion,
       "SELECT sum(autovacuum_count) FROM pg_catalog.pg_stat_user_tables",
       {&A::autovacuum_runs}},
  };
  return list;
}

int version_number(std::string_view server_version) {
  const int major = leading_number(server_version);
  const auto next = [&] {
    if (!server_version.starts_with('.')) return 0;
    server_version.remove_prefix(1);
    return std::clamp(leading_number(server_version), 0, 99);
  };
  if (major <= 0 || major > 1000) return 0;
  const int minor = next();
  return major >= 10 ? major * 10000 + minor : major * 10000 + minor * 100 + next();
}

void take_row(const View& view, const Row& row, ServerActivity& reading) {
  for (std::size_t i = 0; i < std::min(row.size(), view.columns.size()); ++i) {
    reading.*view.columns[i] = count_of(row[i]);
  }
}

ServerActivity difference(const ServerActivity& before, const ServerActivity& after, bool& reset) {
  ServerActivity result;
  for (const View& view : views()) {
    for (const Counter counter : view.columns) {
      if (!(before.*counter) || !(after.*counter)) continue;
      if (*(after.*counter) < *(before.*counter)) {
        reset = true;
        continue;
      }
      result.*counter = *(after.*counter) - *(before.*counter);
    }
  }
  return result;
}

void leave_out(std::optional<std::uint64_t>& counter, std::uint64_t own) {
  if (counter) *counter -= std::min(*counter, own);
}

void lay_beside(ServerActivity& activity, std::uint64_t ours, std::uint64_t setup) {
  activity.ours = ours;
  if (!activity.commits) return;
  const std::uint64_t all = *activity.commits + activity.rollbacks.value_or(0);
  leave_out(activity.commits, std::min(setup, all - std::min(all, ours)));
}

}  // namespace pgload::monitor
