#pragma once

#include "workloads/api/workload.hpp"

/// The OLTP workloads of sysbench (https://github.com/akopytov/sysbench): same tables, statements and counts,
/// so that either program runs on what the other prepared.
namespace workloads::sysbench {

api::Descriptor oltp_point_select();

}  // namespace workloads::sysbench
