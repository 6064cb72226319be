#include "src/report/server_side.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <vector>

#include "src/report/escape.hpp"
#include "src/report/format.hpp"

namespace pgload::report {
namespace {

using stats::RunResult;
using stats::ServerActivity;

constexpr std::string_view kLabel = "server side";
constexpr std::size_t kLabelColumns = 12;
constexpr std::size_t kColumns = 120;
constexpr std::size_t kMaxWaits = 5;

double ratio(std::uint64_t part, std::uint64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

std::string commits(const RunResult& run, const ServerActivity& server) {
  std::string text = grouped(*server.commits) + " commits";
  if (server.rollbacks.value_or(0) > 0) text += fmt::format(" and {} rollbacks", grouped(*server.rollbacks));
  return text +
         fmt::format(" (ours {}{})", grouped(server.ours), run.warmup_s > 0 ? ", with the warm-up" : "");
}

/// Two decimals say whether it was all, or nearly.
std::string cache_hits(std::uint64_t hit, std::uint64_t read) {
  const double percent = 100 * ratio(hit, hit + read);
  return read == 0 ? "cache hits 100 %" : fmt::format("cache hits {:.2f} %", std::floor(percent * 100) / 100);
}

std::string wal(std::uint64_t bytes, std::uint64_t transactions) {
  const double kb = ratio(bytes, transactions) / 1000;
  return fmt::format("WAL {} kB/tx", kb < 0.05 ? significant(kb) : fmt::format("{:.1f}", kb));
}

std::string waits(const ServerActivity& server) {
  std::uint64_t all = 0;
  for (const auto& [name, count] : server.waits) all += count;
  std::string text;
  std::size_t shown = 0;
  for (const auto& [name, count] : server.waits) {
    const double percent = 100 * ratio(count, all);
    if (percent < 0.5 || ++shown > kMaxWaits) break;
    text += fmt::format("{} {} {:.0f} %", text.empty() ? "waits:" : ",", visible(name), percent);
  }
  return text;
}

std::string checkpoints(const ServerActivity& server) {
  const std::uint64_t requested = server.checkpoints_requested.value_or(0);
  const std::uint64_t all = server.checkpoints_timed.value_or(0) + requested;
  if (all == 0) return "";
  return counted(all, "checkpoint") +
         (requested > 0 ? fmt::format(" ({} requested)", grouped(requested)) : "");
}

std::vector<std::string> parts(const RunResult& run, const ServerActivity& server) {
  std::vector<std::string> list;
  if (server.commits) list.push_back(commits(run, server));
  if (server.blocks_hit && server.blocks_read && *server.blocks_hit + *server.blocks_read > 0)
    list.push_back(cache_hits(*server.blocks_hit, *server.blocks_read));
  if (server.wal_bytes && server.transactions.value_or(0) > 0)
    list.push_back(wal(*server.wal_bytes, *server.transactions));
  list.push_back(waits(server));
  list.push_back(checkpoints(server));
  if (server.autovacuum_runs.value_or(0) > 0)
    list.push_back(counted(*server.autovacuum_runs, "autovacuum run"));
  if (server.deadlocks.value_or(0) > 0) list.push_back(counted(*server.deadlocks, "deadlock"));
  if (server.temp_bytes.value_or(0) > 0) list.push_back("temporary files " + bytes(*server.temp_bytes));
  std::erase(list, "");
  return list;
}

}  // namespace

std::string server_side_lines(const RunResult& run) {
  if (!run.server_activity) return "";
  std::string out;
  std::string text = run.hosts.size() > 1 ? visible(run.hosts.front().name) + ": " : "";
  const auto add_line = [&] {
    out += fmt::format("{:<{}}{}\n", out.empty() ? kLabel : "", kLabelColumns, text);
    text.clear();
  };
  bool first = true;
  for (const std::string& part : parts(run, *run.server_activity)) {
    if (!first) text += ";";
    if (!first && kLabelColumns + text.size() + 1 + part.size() > kColumns) {
      add_line();
    } else if (!first) {
      text += " ";
    }
    text += part;
    first = false;
  }
  if (!first) add_line();
  return out;
}

}  // namespace pgload::report
