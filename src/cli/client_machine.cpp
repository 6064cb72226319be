#include "src/cli/client_machine.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>
#include <string_view>
#include <thread>

namespace pgload::cli {

namespace {

#ifdef __clang__
constexpr std::string_view kCompiler = "";  // __VERSION__ names it
#else
constexpr std::string_view kCompiler = "GCC ";
#endif

std::uint64_t memory_bytes() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page_bytes = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && page_bytes > 0
             ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes)
             : 0;
}

}  // namespace

std::string cpu_model(std::istream& cpuinfo) {
  for (std::string line; std::getline(cpuinfo, line);) {
    if (!line.starts_with("model name")) continue;
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    const auto begin = line.find_first_not_of(" \t", colon + 1);
    if (begin != std::string::npos) return line.substr(begin);
  }
  return "";
}

stats::ClientMachine client_machine() {
  stats::ClientMachine machine;
  utsname system{};
  if (::uname(&system) == 0) {
    machine.host_name = system.nodename;
    machine.kernel = fmt::format("{} {} {}", system.sysname, system.release, system.machine);
  }
  std::ifstream cpuinfo("/proc/cpuinfo");
  machine.cpu_model = cpu_model(cpuinfo);
  machine.cpus = std::thread::hardware_concurrency();  // those that this process may use
  machine.memory_bytes = memory_bytes();
  machine.build = fmt::format("{}{}, {}", kCompiler, __VERSION__, PGLOAD_BUILD_TYPE);
  return machine;
}

}  // namespace pgload::cli
