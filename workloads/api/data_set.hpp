#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "proto_pg/wire/copy_format.hpp"

namespace workloads::api {

/// One table that a workload needs: how it is made, filled and checked.
struct TableSpec {
  std::string name;
  std::uint64_t rows = 0;
  std::string key;                      ///< the integer column that numbers the rows 1..rows
  std::vector<std::string> columns;     ///< all that the statements and the load use, in COPY order
  std::string create;                   ///< CREATE TABLE …
  std::vector<std::string> after_load;  ///< indexes: run once the rows are in, one step each
  /// The value list of row `number` (1..rows) as one binary COPY row; a function of (seed, number) alone.
  std::function<void(proto_pg::wire::CopyBinaryWriter& out, std::uint64_t seed, std::uint64_t number)>
      write_row;
};

/// What a check of the database found of a workload's tables.
struct FoundData {
  std::uint64_t tables = 0;
  std::uint64_t rows_per_table = 0;  ///< of the smallest
};

/// Tables that are numbered from 1 (`prefix1`, `prefix2` …): how a run finds out what is there.
struct TableFamily {
  std::string prefix;  ///< "sbtest"
  std::string key;     ///< "id"
};

}  // namespace workloads::api
