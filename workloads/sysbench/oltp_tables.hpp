#pragma once

#include <cstdint>
#include <string>

#include "workloads/api/data_set.hpp"

namespace workloads::sysbench {

/// "sbtest7"
std::string table_name(std::int64_t number);

/// Table `number` of the family as sysbench makes and fills it: same columns, types, defaults and index; the
/// sequence behind `id` stands at the last row, so that inserts without an id go on from there.
api::TableSpec oltp_table(std::int64_t number, std::int64_t rows);

}  // namespace workloads::sysbench
