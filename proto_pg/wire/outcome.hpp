#pragma once

#include <cstdint>

#include "proto_pg/wire/sqlstate.hpp"

namespace proto_pg::wire {

/// What one statement came to. A small trivial value: the only thing that leaves the hot path.
struct Outcome {
  enum class Status : std::uint8_t {
    pending,  ///< its replies have not all arrived
    good,     ///< CommandComplete, EmptyQueryResponse or PortalSuspended; what executes nothing: its Sync's
              ///< answer
    failed,   ///< ErrorResponse; `sqlstate` says which
    skipped,  ///< an earlier statement of the same Sync failed
    lost,     ///< the connection died first
  };

  SqlState sqlstate;
  Status status = Status::pending;
  /// DataRows received; for a command without result rows the count of its command tag (INSERT, UPDATE …).
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;  ///< of the DataRow messages, headers included

  bool good() const { return status == Status::good; }
};

}  // namespace proto_pg::wire
