#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace pgload::engine {

/// What the scheduler says of a thread (kernel documentation, "Scheduler Statistics").
struct ThreadTimes {
  double cpu_s = 0;
  double run_queue_wait_s = 0;  ///< ready to run, but not running
};
/// The text of /proc/…/schedstat; nullopt if it is something else.
std::optional<ThreadTimes> parse_schedstat(std::string_view text);
/// Of a thread of this process; nullopt if it has ended or the kernel does not say.
std::optional<ThreadTimes> thread_times(pid_t tid);

/// Clock ticks of all CPUs since the machine started.
struct MachineTicks {
  std::uint64_t all = 0;
  std::uint64_t stolen = 0;  ///< taken by the machine's host
};
/// The text of /proc/stat; nullopt if it is something else.
std::optional<MachineTicks> parse_machine_ticks(std::string_view text);
std::optional<MachineTicks> machine_ticks();

}  // namespace pgload::engine
