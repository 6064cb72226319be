#include "workloads/api/workload.hpp"

#include <cassert>
#include <cstdlib>

namespace workloads::api {

KindId Workload::append(Session&) const {
  assert(!"only single_statement workloads are pipelined");
  std::abort();
}

}  // namespace workloads::api
