#pragma once

#include <string>

#include "workloads/api/statement.hpp"

namespace workloads::api {

/// Appends the value as an SQL literal: integers bare (negative ones in parentheses, so that `a-$1` stays
/// what it is, but for those behind "(" or ","), texts in single quotes, as an E'' string if they hold a
/// backslash (manual: "String Constants with C-Style Escapes"), so that standard_conforming_strings does not
/// matter.
void append_literal(std::string& out, const Parameter& value);

/// Cuts `sql` at $1, $2 … (outside of quotes and comments) into the pieces that Protocol::simple joins with
/// literals: fills literal_pieces and literal_order. Returns the number of parameters.
std::size_t cut_at_parameters(PreparedStatement& statement);

}  // namespace workloads::api
