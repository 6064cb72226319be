#pragma once

#include <cstdint>
#include <span>

#include "src/engine/worker.hpp"

namespace pgload::engine {

/// What one attempt of a transaction came to.
enum class Attempt : std::uint8_t {
  good,
  unexpected,  ///< all statements succeeded, one with a row count that it does not declare
  retry,       ///< failed in a way that a new attempt may mend
  failed,
  lost,        ///< the link died: reconnect
  unfinished,  ///< cancelled by us when the drain was over
};

/// Judges the statements of one attempt and records them, and the error that ended it. `samples` is the whole
/// attempt; a link that died is blamed on the first of them that was not answered.
Attempt settle_attempt(Worker& worker, SessionSlot& slot,
                       std::span<const workloads::api::StatementSample> samples);

/// Records the finished transaction of the slot. Not for Attempt::retry.
void settle_transaction(Worker& worker, SessionSlot& slot, Attempt attempt);

}  // namespace pgload::engine
