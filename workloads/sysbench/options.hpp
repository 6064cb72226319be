#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/api/option.hpp"
#include "workloads/random/distribution.hpp"

namespace workloads::sysbench {

/// Every option of the family, each declared once: sysbench's own, those of its forks for YugabyteDB and
/// RisingWave, and pgload's.
std::span<const api::OptionSpec> all_options();

/// What every workload on the family's tables takes (tables, their DDL, keys), then `more`, by name.
std::vector<api::OptionSpec> options_with(std::initializer_list<std::string_view> more);

/// The values of all options; what a workload does not declare has its default.
struct Options {
  /// Throws api::OptionError.
  explicit Options(const api::OptionValues& values);

  std::int64_t tables, table_size;
  bool tables_given, table_size_given;
  std::string table_prefix;

  bool auto_inc, auto_inc_given;
  bool create_secondary, create_covered_secondary;
  std::string create_table_options;
  bool skip_ddl;
  std::int64_t serial_cache_size;
  bool serial_cache_size_given;
  bool range_key_partitioning, manual_range_splitting;
  std::int64_t num_table_splits;

  random::DistributionSpec keys;
  std::int64_t reconnect;
  bool skip_trx;

  std::int64_t range_size, point_selects;
  bool range_selects;
  std::int64_t simple_ranges, sum_ranges, order_ranges, distinct_ranges;
  std::int64_t index_updates, non_index_updates, delete_inserts;
  std::int64_t random_points, number_of_ranges, delta;
  std::int64_t num_rows_in_insert, batch_insert_count;
  bool smaller_row_sizes;
  std::int64_t count_alls;
};

}  // namespace workloads::sysbench
