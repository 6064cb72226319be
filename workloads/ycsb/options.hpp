#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/api/option.hpp"
#include "workloads/ycsb/fields.hpp"
#include "workloads/ycsb/key.hpp"
#include "workloads/ycsb/key_chooser.hpp"

namespace workloads::ycsb {

/// The share of each operation; those of one workload need not add up to 1.
struct Mix {
  double read = 0, update = 0, insert = 0, scan = 0, read_modify_write = 0;
};

/// What makes one lettered workload: the rest is CoreWorkload's defaults.
struct Letter {
  std::string_view name;  ///< "ycsb-a"
  std::string_view summary;
  Mix mix;
  std::string_view distribution;
  std::uint64_t longest_scan = 1000;
};

/// CoreWorkload's properties as values.
struct Options {
  explicit Options(const api::OptionValues& values);

  std::string table;
  Mix mix;
  KeyRange keys;
  bool records_given = false;  ///< else as many as are found
  bool count_given = false;
  KeyFormat format;
  std::uint64_t fields = 10;
  std::string field_prefix;
  std::uint64_t shortest_field = 1, longest_field = 100;
  FieldLength::Distribution field_length{};
  bool write_all_fields = false;
  bool update_in_transaction = false;
  std::uint64_t shortest_scan = 1, longest_scan = 1000;
  bool zipfian_scan = false;
};

/// The options of a workload, its letter's values as defaults.
std::vector<api::OptionSpec> options_of(const Letter& letter);

}  // namespace workloads::ycsb
