#include "workloads/registry.hpp"

#include <algorithm>
#include <vector>

#include "workloads/sysbench/sysbench.hpp"
#include "workloads/ycsb/ycsb.hpp"

namespace workloads {

namespace {

// A list rather than objects that register themselves: the linker leaves out of a program every file of a
// static library that nothing refers to.
std::vector<api::Descriptor> make_list() {
  std::vector<api::Descriptor> list;
  list.push_back(sysbench::bulk_insert());
  list.push_back(sysbench::idleconnection());
  list.push_back(sysbench::load_test());
  list.push_back(sysbench::oltp_count_all());
  list.push_back(sysbench::oltp_delete());
  list.push_back(sysbench::oltp_insert());
  list.push_back(sysbench::oltp_join());
  list.push_back(sysbench::oltp_multi_insert());
  list.push_back(sysbench::oltp_multi_value_insert());
  list.push_back(sysbench::oltp_point_select());
  list.push_back(sysbench::oltp_primarykey_scan());
  list.push_back(sysbench::oltp_read_only());
  list.push_back(sysbench::oltp_read_write());
  list.push_back(sysbench::oltp_sequential_scan());
  list.push_back(sysbench::oltp_simple_ranges());
  list.push_back(sysbench::oltp_sum_scan());
  list.push_back(sysbench::oltp_update_index());
  list.push_back(sysbench::oltp_update_non_index());
  list.push_back(sysbench::oltp_write_only());
  list.push_back(sysbench::select_one());
  list.push_back(sysbench::select_random_limits());
  list.push_back(sysbench::select_random_points());
  list.push_back(sysbench::select_random_ranges());
  for (api::Descriptor& descriptor : ycsb::workloads()) list.push_back(std::move(descriptor));
  std::ranges::sort(list, {}, &api::Descriptor::name);
  return list;
}

}  // namespace

std::span<const api::Descriptor> registry() {
  static const std::vector<api::Descriptor> list = make_list();
  return list;
}

const api::Descriptor* find(std::string_view name) {
  const auto all = registry();
  const auto found = std::ranges::find(all, name, &api::Descriptor::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace workloads
