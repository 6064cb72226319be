#include <fmt/format.h>

#include "src/data/inspect.hpp"
#include "src/data/sql_text.hpp"

namespace pgload::data {
namespace {

namespace api = workloads::api;
using Progress = std::function<void(std::string_view)>;

/// Names of the table and its valid indexes, and each one's first column ("" for the table).
asio::awaitable<Lane::Rows> relations(Lane& lane, const api::TableSpec& table) {
  const std::string name = quote_text(quote_name(table.name));
  std::string sql = fmt::format(
      "SELECT {0}, '' UNION ALL SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid, 1, true) "
      "FROM pg_catalog.pg_index WHERE indrelid = {0}::regclass AND indisvalid",
      name);
  auto rows = co_await lane.query(std::move(sql), "look at table " + table.name);
  co_return rows;
}

asio::awaitable<bool> has_pg_prewarm(Lane& lane) {
  std::string sql = "SELECT count(*) FROM pg_catalog.pg_extension WHERE extname = 'pg_prewarm'";
  const auto rows = co_await lane.query(std::move(sql), "look for pg_prewarm");
  co_return rows.at(0).at(0) != "0";
}

/// A plain scan of a large table goes through a few buffers only and leaves nothing behind; one in the order
/// of an index does not, and warms the index too.
constexpr const char* kScanByIndex =
    "SET enable_seqscan = off; SET enable_bitmapscan = off; SET max_parallel_workers_per_gather = 0";

asio::awaitable<void> warm_relation(Lane& lane, const api::TableSpec& table, std::string relation,
                                    std::string column, bool prewarm) {
  std::string sql;
  if (prewarm) {
    sql = fmt::format("SELECT pg_prewarm({})", quote_text(relation));
  } else if (column.empty()) {
    sql = fmt::format("SELECT count(scan) FROM (SELECT * FROM {} ORDER BY {} OFFSET 0) AS scan",
                      quote_name(table.name), quote_name(table.key));
  } else {
    sql = fmt::format("SELECT count(*) FROM (SELECT {0} FROM {1} ORDER BY {0} OFFSET 0) AS scan", column,
                      quote_name(table.name));
  }
  co_await lane.query(std::move(sql), "read " + relation);
}

asio::awaitable<void> warm_all(Lane& lane, const std::vector<api::TableSpec>& tables,
                               const Progress& progress) {
  bool prewarm = false;
  if (lane.dialect() == api::Dialect::postgres) {
    prewarm = co_await has_pg_prewarm(lane);
    std::string settings = kScanByIndex;
    if (!prewarm) co_await lane.query(std::move(settings), "set the planner");
  }
  for (const auto& table : tables) {
    Lane::Rows list{{quote_name(table.name), ""}};
    if (lane.dialect() != api::Dialect::risingwave) list = co_await relations(lane, table);
    for (const auto& row : list) {
      const std::string name = row.at(0).value_or("");
      const std::string column = row.at(1).value_or("");
      co_await warm_relation(lane, table, name, column, prewarm);
      progress(fmt::format("{} {}", name, prewarm ? "by pg_prewarm" : "by a scan"));
    }
  }
}

}  // namespace

void warm_up(const Target& target, const api::Workload& workload, const Progress& progress) {
  const auto tables = workload.tables();
  run_lane(target, [&](Lane& lane) { return warm_all(lane, tables, progress); });
}

}  // namespace pgload::data
