#include "src/data/table_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "src/data/sql_text.hpp"
#include "workloads/api/grouped.hpp"

namespace pgload::data {
namespace {

namespace api = workloads::api;

bool indexes_whole(const api::TableSpec& table, const TableState& state) {
  return std::ranges::all_of(table.after_load, [&](const api::TableStep& step) {
    return step.index.empty() || state.indexes.contains(step.index);
  });
}

}  // namespace

Action decide_one(const api::TableSpec& table, const TableFacts& facts, const PreparePlan& plan) {
  if (!facts.exists && table.create.empty())
    throw DataError(fmt::format("table {} does not exist, and --skip-ddl makes none", table.name));
  if (!facts.exists) return Action::create;
  if (plan.recreate && !table.create.empty()) return Action::recreate;
  if (plan.resume) return Action::resume;
  if (facts.rows_whole && facts.indexes_whole) return Action::keep;
  if (table.create.empty() && facts.rows == 0) return Action::resume;
  const std::string lack = facts.rows_whole ? "exists without its index"
                                            : fmt::format("exists with about {} rows, {} asked",
                                                          api::grouped(facts.rows), api::grouped(table.rows));
  throw DataError(fmt::format(
      "table {} {}:\nuse --resume (fills what is missing), --recreate, or pgload cleanup", table.name, lack));
}

asio::awaitable<std::vector<Action>> decide(Lane& lane, std::span<const api::TableSpec> tables,
                                            std::span<const TableState> states, const PreparePlan& plan) {
  std::vector<TableFacts> facts(tables.size());
  std::vector<api::TableSpec> there;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    facts[i].exists = states[i].exists();
    if (!facts[i].exists || plan.recreate) continue;
    (void)column_types(tables[i], states[i]);  // refuses what cannot be loaded
    facts[i].indexes_whole = indexes_whole(tables[i], states[i]);
    there.push_back(tables[i]);
  }
  if (!plan.resume && !there.empty()) {
    const auto whole = co_await sampled_whole(lane, there, plan.chunk_rows);
    std::size_t seen = 0;
    for (std::size_t i = 0; i < tables.size(); ++i) {
      if (!facts[i].exists) continue;
      facts[i].rows_whole = whole[seen++];
      if (facts[i].rows_whole) continue;
      const std::uint64_t rows = co_await reach(lane, tables[i], tables[i].rows);
      facts[i].rows = rows;
    }
  }
  std::vector<Action> actions;
  for (std::size_t i = 0; i < tables.size(); ++i) actions.push_back(decide_one(tables[i], facts[i], plan));
  co_return actions;
}

}  // namespace pgload::data
