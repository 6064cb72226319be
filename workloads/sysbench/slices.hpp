#pragma once

#include <cstdint>

#include "workloads/api/session.hpp"
#include "workloads/random/distribution.hpp"

namespace workloads::sysbench {

/// The keys of one session where each works on its own part of the table: as many equal parts as sessions,
/// both ends included, so neighbours share an edge and 0 can occur.
struct Slice : api::SessionState {
  Slice(const random::DistributionSpec& spec, std::int64_t table_size, const api::Session& session)
      : keys(spec, edge(table_size, session, session.number()),
             edge(table_size, session, session.number() + 1)) {}

  static std::int64_t edge(std::int64_t table_size, const api::Session& session, std::uint32_t number) {
    const double part = static_cast<double>(table_size) / session.sessions();
    const double at = part * number;
    return at >= static_cast<double>(table_size) ? table_size : static_cast<std::int64_t>(at);
  }

  random::Distribution keys;
};

}  // namespace workloads::sysbench
