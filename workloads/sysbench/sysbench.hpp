#pragma once

#include "workloads/api/workload.hpp"

/// The OLTP workloads of sysbench (https://github.com/akopytov/sysbench) and of its forks for YugabyteDB and
/// RisingWave: same tables, statements, order and draws, so that either program runs on what the other
/// prepared.
namespace workloads::sysbench {

api::Descriptor bulk_insert();
api::Descriptor oltp_delete();
api::Descriptor oltp_insert();
api::Descriptor oltp_point_select();
api::Descriptor oltp_read_only();
api::Descriptor oltp_read_write();
api::Descriptor oltp_update_index();
api::Descriptor oltp_update_non_index();
api::Descriptor oltp_write_only();
api::Descriptor select_random_points();
api::Descriptor select_random_ranges();

/// YugabyteDB's
api::Descriptor idleconnection();
api::Descriptor oltp_join();
api::Descriptor oltp_multi_insert();
api::Descriptor oltp_multi_value_insert();
api::Descriptor oltp_primarykey_scan();
api::Descriptor oltp_sequential_scan();
api::Descriptor oltp_simple_ranges();
api::Descriptor oltp_sum_scan();
api::Descriptor select_one();

/// RisingWave's
api::Descriptor load_test();
api::Descriptor oltp_count_all();
api::Descriptor select_random_limits();

}  // namespace workloads::sysbench
