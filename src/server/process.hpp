#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pgload::server {

/// Whom the server runs as. PostgreSQL refuses to run as root.
struct Account {
  std::string name;
  uid_t uid = 0;
  gid_t gid = 0;
  std::vector<gid_t> groups;
};

/// As root: `postgres`, else `nobody`. Otherwise nullopt: stay who you are. Throws ThrowawayServerError.
std::optional<Account> unprivileged_account();

struct Command {
  std::vector<std::string> arguments;  ///< the first is the path of the program
  std::filesystem::path directory;     ///< to run in
  std::filesystem::path output;        ///< stdout and stderr are appended to it
  const Account* account = nullptr;    ///< nullptr: stay who you are
  int signal_when_orphaned = 0;        ///< sent when the thread that started it ends
};

/// Starts a program in a process session of its own, in the C locale, with no signal blocked, without the PG*
/// variables and without the open files of this process. Throws ThrowawayServerError if it cannot be
/// executed.
pid_t start_process(const Command& command);

/// Polls until the child ends, at most `limit`. Its wait status, or nullopt if it still runs.
std::optional<int> wait_for_exit(pid_t child, std::chrono::milliseconds limit);

/// Kills the child and all of its process session's group, and waits for their end.
void kill_group(pid_t child);

}  // namespace pgload::server
