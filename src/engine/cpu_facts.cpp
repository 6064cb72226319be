#include "src/engine/cpu_facts.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <string>

namespace pgload::engine {

namespace {

/// The next number of a line, behind spaces; nullopt at its end.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  std::uint64_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(parsed.ptr - text.data()));
  return number;
}

/// The beginning of a file; empty if it can't be read.
std::string beginning_of(const char* path) {
  std::array<char, 1024> bytes;
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  const ssize_t count = ::read(fd, bytes.data(), bytes.size());
  ::close(fd);
  return {bytes.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
}

}  // namespace

std::optional<ThreadTimes> parse_schedstat(std::string_view text) {
  const auto running_ns = take_number(text);
  const auto waiting_ns = take_number(text);
  if (!running_ns || !waiting_ns) return std::nullopt;
  return ThreadTimes{static_cast<double>(*running_ns) * 1e-9, static_cast<double>(*waiting_ns) * 1e-9};
}

std::optional<ThreadTimes> thread_times(pid_t tid) {
  const std::string path = "/proc/self/task/" + std::to_string(tid) + "/schedstat";
  return parse_schedstat(beginning_of(path.c_str()));
}

// "cpu  user nice system idle iowait irq softirq steal guest guest_nice": guest times are part of user and
// nice (proc(5)).
std::optional<MachineTicks> parse_machine_ticks(std::string_view text) {
  constexpr int kFields = 8;
  if (!text.starts_with("cpu ")) return std::nullopt;
  text = text.substr(4, text.find('\n') - 4);
  MachineTicks ticks;
  for (int field = 0; field < kFields; ++field) {
    const auto number = take_number(text);
    if (!number) return std::nullopt;
    ticks.all += *number;
    ticks.stolen = *number;
  }
  return ticks;
}

std::optional<MachineTicks> machine_ticks() { return parse_machine_ticks(beginning_of("/proc/stat")); }

}  // namespace pgload::engine
