#include "src/data/inspect.hpp"
#include "src/data/sql_text.hpp"

namespace pgload::data {
namespace {

namespace api = workloads::api;

asio::awaitable<void> drop_all(Lane& lane, const std::vector<api::TableSpec>& tables,
                               std::vector<std::string>& dropped) {
  const auto states = co_await look_up(lane, tables);
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (!states[i].exists()) continue;
    std::vector<std::string> statements = tables[i].before_drop;
    statements.push_back("DROP TABLE " + quote_name(tables[i].name));
    for (const auto& sql : statements) {
      const auto result = co_await lane.define(sql);
      lane.require(result, "drop table " + tables[i].name);
    }
    dropped.push_back(tables[i].name);
  }
}

}  // namespace

std::vector<std::string> cleanup(const Target& target, const api::Workload& workload) {
  const auto tables = workload.tables();
  std::vector<std::string> dropped;
  if (tables.empty()) return dropped;
  run_lane(target, [&](Lane& lane) { return drop_all(lane, tables, dropped); });
  return dropped;
}

}  // namespace pgload::data
