#include "src/monitor/server_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pgload::monitor {

namespace {

constexpr std::array kNames{
    "server_version",
    "max_connections",
    "shared_buffers",
    "effective_cache_size",
    "work_mem",
    "maintenance_work_mem",
    "huge_pages",
    "fsync",
    "synchronous_commit",
    "synchronous_standby_names",
    "full_page_writes",
    "wal_level",
    "wal_buffers",
    "wal_compression",
    "wal_sync_method",
    "commit_delay",
    "data_checksums",
    "max_wal_size",
    "checkpoint_timeout",
    "checkpoint_completion_target",
    "autovacuum",
    "autovacuum_naptime",
    "random_page_cost",
    "effective_io_concurrency",
    "io_method",
    "max_parallel_workers_per_gather",
    "jit",
    "plan_cache_mode",
    "default_transaction_isolation",
    "ssl",
    "track_counts",
    "track_activities",
    "track_io_timing",
    "shared_preload_libraries",
};

}  // namespace

std::string settings_query() {
  return fmt::format(
      "SELECT name, pg_catalog.current_setting(name) FROM pg_catalog.pg_settings WHERE name IN ('{}')",
      fmt::join(kNames, "','"));
}

Settings settings_of(const std::vector<Row>& rows) {
  Settings settings;
  for (const char* name : kNames) {
    const auto row = std::ranges::find_if(
        rows, [&](const Row& each) { return each.size() == 2 && each[0] == name && each[1]; });
    if (row != rows.end()) settings.emplace_back(name, *(*row)[1]);
  }
  return settings;
}

std::string value_of(const Settings& settings, const std::string& name) {
  const auto found = std::ranges::find(settings, name, &Settings::value_type::first);
  return found == settings.end() ? "" : found->second;
}

}  // namespace pgload::monitor
