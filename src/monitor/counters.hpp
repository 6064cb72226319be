#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/stats/server_activity.hpp"

/// What a server counts, and what two readings of it say. Pure.
namespace pgload::monitor {

using Row = std::vector<std::optional<std::string>>;
using Counter = std::optional<std::uint64_t> stats::ServerActivity::*;

/// A statistics view, and where the columns of its only row belong.
struct View {
  const char* name;
  int from_version, to_version;  ///< server versions that have it, as in server_version_num
  const char* sql;
  std::vector<Counter> columns;
};
std::span<const View> views();

/// "15.18 (Debian …)" -> 150018, "9.6.24" -> 90624, "18beta1" -> 180000; 0 if it is no number.
int version_number(std::string_view server_version);

/// Sets the counters of `view` in `reading`; what is null or no number stays absent.
void take_row(const View& view, const Row& row, stats::ServerActivity& reading);

/// after - before of every counter that both have. A counter that ran backwards (the server's statistics were
/// reset) is absent, and `reset` becomes true.
stats::ServerActivity difference(const stats::ServerActivity& before, const stats::ServerActivity& after,
                                 bool& reset);

/// Takes out of `activity` what is not the load's: transactions of the monitor (each ended well), given as
/// they fell between the readings.
void leave_out(std::optional<std::uint64_t>& counter, std::uint64_t own);

/// Notes `ours` beside the server's count. Of `setup`, the transactions that prepared the sessions'
/// statements, the first reading has some or none: a backend tells its counts up to a second late. So up to
/// that many are left out where the server counted more than ours.
void lay_beside(stats::ServerActivity& activity, std::uint64_t ours, std::uint64_t setup);

}  // namespace pgload::monitor
