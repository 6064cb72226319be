#pragma once

#include <cstdint>
#include <limits>

#include "workloads/api/session.hpp"
#include "workloads/random/unique_sequence.hpp"

namespace workloads::sysbench {

/// Ids that no other session of the run draws, over all 32-bit numbers, for inserts without a sequence. The
/// run's seed is the sequence's key: the same seed means the same ids, and another one others.
class UniqueIds : public api::SessionState {
 public:
  explicit UniqueIds(const api::Session& session)
      : sequence_(static_cast<std::uint32_t>(session.seed()),
                  static_cast<std::uint32_t>(session.seed() >> 32)),
        next_(session.number()),
        step_(session.sessions()) {}

  std::int64_t next() {
    const std::uint32_t position = next_;
    next_ += step_;
    return std::int64_t{sequence_.at(position)} + std::numeric_limits<std::int32_t>::min();
  }

 private:
  random::UniqueSequence sequence_;
  std::uint32_t next_;
  std::uint32_t step_;
};

}  // namespace workloads::sysbench
