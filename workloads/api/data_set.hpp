#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "workloads/api/row_writer.hpp"

namespace workloads::api {

/// A column that the statements and the load use.
struct ColumnSpec {
  enum class Kind : std::uint8_t { integer, text };
  std::string name;
  Kind kind = Kind::integer;
};

/// What is done to a table once its rows are in.
struct TableStep {
  std::string name;  ///< in progress lines: "index k_1"
  std::string sql;
  std::string index;  ///< that the step makes: skipped if it is there. Empty: done after each load
};

/// One table that a workload needs: how it is made, filled and checked. Names are as the SQL texts have them,
/// without quotes.
struct TableSpec {
  std::string name;
  std::uint64_t rows = 0;
  std::string key;  ///< the column that numbers the rows 1..rows
  /// The key of row `number`, if the column is of text; none: the number itself.
  std::function<std::string(std::uint64_t number)> key_text;
  std::vector<ColumnSpec> columns;  ///< in COPY order; integer values lie within 0..rows
  std::string create;               ///< CREATE TABLE …; empty: it has to be there
  std::vector<std::string> after_create;
  std::vector<TableStep> after_load;  ///< those that make an index may come before it
  std::vector<std::string> before_drop;
  /// The values of row `number` (1..rows), in the order of `columns`, a function of (seed, number) alone.
  std::function<void(RowWriter& out, std::uint64_t seed, std::uint64_t number)> write_row;
};

/// What a check of the database found of a workload's tables.
struct FoundData {
  std::uint64_t tables = 0;
  std::uint64_t rows_per_table = 0;  ///< of the smallest
  std::uint64_t highest_key = 0;     ///< of all
};

/// Tables that are numbered from 1 (`prefix1`, `prefix2` …): how a run finds out what is there.
struct TableFamily {
  std::string prefix;  ///< "sbtest"
  std::string key;     ///< "id"
};

}  // namespace workloads::api
