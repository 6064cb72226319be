#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/api/statement.hpp"
#include "workloads/sysbench/options.hpp"

namespace workloads::sysbench {

/// Every statement that more than one workload of the family sends, each text written once.
enum class Sql : std::uint8_t {
  point_select,
  simple_range,
  sum_range,
  order_range,
  distinct_range,
  index_update,
  non_index_update,
  delete_row,
  insert_row,         ///< with its id
  insert_without_id,  ///< the sequence gives it
  begin,
  commit,
};
inline constexpr std::size_t kSqlCount = 12;

/// The name of table `number`, counted from 1.
std::string table_name(const Options& options, std::int64_t number);

/// One text per table: every "%t" of `sql` becomes the table's name.
std::vector<std::string> for_each_table(const Options& options, std::string_view sql);

/// Name, texts and the row count of a good answer. `rows_vanish`: the workload itself deletes rows.
api::StatementSpec specification(Sql sql, const Options& options, bool rows_vanish);

/// A statement of one table, for workloads that send one of their own.
api::StatementSpec specification(std::string_view name, std::vector<std::string> sql, api::ExpectedRows rows);

}  // namespace workloads::sysbench
