#include "src/cli/descriptor_limit.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "src/cli/usage_error.hpp"
#include "src/report/format.hpp"

namespace pgload::cli {
namespace {

/// Beside one socket a session: epoll and wake-up descriptors of the threads, standard streams, files,
/// libraries.
constexpr std::uint64_t kOthers = 64;

}  // namespace

void raise_descriptor_limit(std::uint64_t sessions) {
  const std::uint64_t needed = sessions + kOthers;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= needed)
    return;
  const bool enough = limit.rlim_max == RLIM_INFINITY || limit.rlim_max >= needed;
  if (!enough)
    throw UsageError(
        fmt::format("{} {} {} open files, and the limit is {}: raise it (ulimit -Hn, "
                    "LimitNOFILE=), or take fewer sessions",
                    report::grouped(sessions), sessions == 1 ? "session needs" : "sessions need",
                    report::grouped(needed), report::grouped(limit.rlim_max)));
  limit.rlim_cur = needed;
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0)
    throw UsageError(fmt::format("cannot raise the limit of open files to {}: {}", report::grouped(needed),
                                 std::strerror(errno)));
}

}  // namespace pgload::cli
