#include <fmt/format.h>

#include "src/data/chunk_list.hpp"
#include "src/data/insert_rows.hpp"
#include "src/data/jobs.hpp"

namespace pgload::data {
namespace {

namespace api = workloads::api;
using Print = std::function<void(std::string_view)>;

void print_all(const std::vector<Job>& jobs, const Print& print) {
  for (const Job& job : jobs) print(job.sql);
}

void print_rows(const std::vector<api::TableSpec>& tables, const PreparePlan& plan, const Print& print) {
  std::vector<std::uint64_t> counts;
  for (const auto& table : tables) counts.push_back(table.rows);
  ChunkList chunks(std::move(counts), plan.chunk_rows);
  while (const auto chunk = chunks.take()) {
    const auto& table = tables[chunk->table];
    if (!plan.by_insert.value_or(false)) {
      print(fmt::format("-- rows {} to {}\n{}", chunk->first, chunk->last, copy_statement(table)));
      continue;
    }
    api::InsertBatch batch(insert_head(table));
    for (std::uint64_t next = chunk->first; next <= chunk->last;)
      print(next_insert(batch, table, plan.seed, next, chunk->last));
  }
}

}  // namespace

void dry_run(const api::Workload& workload, const PreparePlan& plan, const Print& print) {
  const auto tables = workload.tables();
  const TableState nothing;
  std::vector<JobTable> todo;
  for (const auto& table : tables) {
    if (!table.create.empty()) print_all(creation_jobs(table), print);
    todo.push_back({&table, &nothing});
  }
  const bool index_first = plan.index_first.value_or(false);
  if (index_first) print_all(index_jobs(todo), print);
  print_rows(tables, plan, print);
  if (!index_first) print_all(index_jobs(todo), print);
  print_all(sequence_jobs(todo), print);
  print_all(closing_jobs(todo, plan.dialect), print);
}

}  // namespace pgload::data
