#include "src/data/jobs.hpp"

#include <fmt/format.h>

#include "src/data/sql_text.hpp"

namespace pgload::data {
namespace {

namespace api = workloads::api;

std::string column_list(const api::TableSpec& table) {
  std::vector<std::string> names;
  for (const auto& column : table.columns) names.push_back(quote_name(column.name));
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::vector<Job> creation_jobs(const api::TableSpec& table) {
  std::vector<Job> jobs{{table.name, "", "create table " + table.name, table.create}};
  for (const auto& sql : table.after_create)
    jobs.push_back({table.name, "", fmt::format("finish table {}: {}", table.name, sql), sql});
  return jobs;
}

std::vector<Job> index_jobs(std::span<const JobTable> tables) {
  std::vector<Job> jobs;
  for (const auto& [table, state] : tables) {
    for (const auto& step : table->after_load) {
      if (!step.index.empty() && !state->indexes.contains(step.index))
        jobs.push_back(
            {table->name, step.name, fmt::format("make {} of {}", step.name, table->name), step.sql});
    }
  }
  return jobs;
}

std::vector<Job> sequence_jobs(std::span<const JobTable> tables) {
  std::vector<Job> jobs;
  for (const auto& [table, state] : tables) {
    for (const auto& step : table->after_load) {
      if (step.index.empty())
        jobs.push_back({table->name, "", fmt::format("set {} of {}", step.name, table->name), step.sql});
    }
  }
  return jobs;
}

std::vector<Job> closing_jobs(std::span<const JobTable> tables, api::Dialect dialect) {
  if (tables.empty()) return {};
  if (dialect == api::Dialect::risingwave) return {{"", "", "flush", "FLUSH"}};
  std::vector<Job> jobs;
  for (const auto& [table, state] : tables)
    jobs.push_back({table->name, "", "analyze " + table->name, "ANALYZE " + quote_name(table->name)});
  return jobs;
}

std::string copy_statement(const api::TableSpec& table) {
  return fmt::format("COPY {} ({}) FROM STDIN WITH (FORMAT binary)", quote_name(table.name),
                     column_list(table));
}

std::string insert_head(const api::TableSpec& table) {
  return fmt::format("INSERT INTO {}({}) VALUES", quote_name(table.name), column_list(table));
}

}  // namespace pgload::data
