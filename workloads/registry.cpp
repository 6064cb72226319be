#include "workloads/registry.hpp"

#include <algorithm>
#include <vector>

#include "workloads/sysbench/sysbench.hpp"

namespace workloads {

namespace {

// A list rather than objects that register themselves: the linker leaves out of a program every file of a
// static library that nothing refers to.
std::vector<api::Descriptor> make_list() {
  std::vector<api::Descriptor> list;
  list.push_back(sysbench::oltp_point_select());
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
