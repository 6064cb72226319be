#pragma once

// What `prepare` sends besides the rows themselves: pure functions, so that a dry run prints exactly that.

#include <span>
#include <string>
#include <vector>

#include "src/data/data.hpp"
#include "src/data/inspect.hpp"

namespace pgload::data {

/// One statement of set-up work.
struct Job {
  std::string table;
  std::string name;  ///< reported when it ends, if there are few
  std::string doing;
  std::string sql;
};

/// A table on which work is to be done, and what is there of it.
struct JobTable {
  const workloads::api::TableSpec* spec = nullptr;
  const TableState* state = nullptr;
};

std::vector<Job> creation_jobs(const workloads::api::TableSpec& table);
std::vector<Job> index_jobs(std::span<const JobTable> tables);
std::vector<Job> sequence_jobs(std::span<const JobTable> tables);
/// What makes the rows visible and known to the planner.
std::vector<Job> closing_jobs(std::span<const JobTable> tables, workloads::api::Dialect dialect);

/// "COPY t (a, b) FROM STDIN WITH (FORMAT binary)"
std::string copy_statement(const workloads::api::TableSpec& table);
/// "INSERT INTO t(a, b) VALUES"
std::string insert_head(const workloads::api::TableSpec& table);

}  // namespace pgload::data
