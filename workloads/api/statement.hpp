#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "proto_pg/wire/frontend.hpp"

namespace workloads::api {

/// Index of a statement in the workload's list: its row in every report.
using StatementId = std::uint8_t;
/// Index of a transaction kind in the workload's list.
using KindId = std::uint8_t;

/// How many rows a good answer has (rows returned, or rows changed). Anything else is *unexpected*.
struct ExpectedRows {
  std::uint64_t min = 0;
  std::uint64_t max = std::numeric_limits<std::uint64_t>::max();
  bool holds(std::uint64_t rows) const { return rows >= min && rows <= max; }
};

/// Who writes a statement's text, and when.
enum class Sending : std::uint8_t {
  as_asked,  ///< by the run's protocol
  literals,  ///< always with literals in a Query, whatever the protocol
  written,   ///< the workload writes each whole Query itself; `sql` is an example for help
};

/// One kind of SQL execution with a name in every report. `sql` has one text for each variant, usually one
/// per table; parameters are $1, $2 … .
struct StatementSpec {
  std::string name;
  std::vector<std::string> sql;
  ExpectedRows rows;
  bool transaction_control = false;  ///< BEGIN, COMMIT: not counted in "queries without BEGIN/COMMIT"
  Sending sending = Sending::as_asked;
};

/// One parameter value. The statement's described type decides how it travels (binary integer, text).
struct Parameter {
  enum class Kind : std::uint8_t { integer, text };
  Kind kind = Kind::integer;
  std::int64_t integer = 0;
  std::string_view text;

  Parameter(std::int64_t value) : integer(value) {}                     // NOLINT(google-explicit-constructor)
  Parameter(std::string_view value) : kind(Kind::text), text(value) {}  // NOLINT(google-explicit-constructor)
};

/// `protocol` of a run: how statements are sent (manual: "Message Flow", "Extended Query").
enum class Protocol : std::uint8_t {
  prepared,  ///< named statements, parsed once per session
  extended,  ///< unnamed Parse, Bind, Execute in one flight each time
  simple,    ///< literals in a Query message
};

/// A statement ready to be sent by any session: what the server said of it, and its pieces for each protocol.
/// Made once per run, shared by all sessions, never changed.
struct PreparedStatement {
  std::string name;  ///< on the wire, for Protocol::prepared
  std::string sql;
  std::vector<proto_pg::wire::Oid> types;    ///< of the parameters, as the server described them
  std::vector<std::string> literal_pieces;   ///< sql cut at its parameters …
  std::vector<std::uint16_t> literal_order;  ///< … and which parameter (0-based) stands behind each piece
};

}  // namespace workloads::api
