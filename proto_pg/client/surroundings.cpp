#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <vector>

#include "proto_pg/client/connect_info.hpp"

namespace proto_pg::client {
namespace {

/// Name and home of the user that the process runs as; both empty if the system does not know it.
std::pair<std::string, std::string> user_of_this_process() {
  passwd entry{};
  passwd* found = nullptr;
  std::vector<char> strings(16 * 1024);  // far above what sysconf(_SC_GETPW_R_SIZE_MAX) suggests (1 KiB)
  if (::getpwuid_r(::geteuid(), &entry, strings.data(), strings.size(), &found) != 0 || found == nullptr)
    return {};
  return {entry.pw_name, entry.pw_dir};
}

}  // namespace

Surroundings Surroundings::of_this_process() {
  Surroundings result;
  result.environment = [](std::string_view name) -> std::optional<std::string> {
    const char* value = std::getenv(std::string(name).c_str());
    if (value == nullptr) return std::nullopt;
    return value;
  };
  auto [name, home] = user_of_this_process();
  result.user_name = std::move(name);
  const char* home_variable = std::getenv("HOME");
  result.home = home_variable != nullptr && *home_variable != '\0' ? home_variable : std::move(home);
  constexpr const char* kDebian = "/var/run/postgresql";
  struct stat status{};
  if (::stat(kDebian, &status) == 0 && S_ISDIR(status.st_mode)) result.socket_directory = kDebian;
  return result;
}

}  // namespace proto_pg::client
