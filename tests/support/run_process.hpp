#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

namespace support {

/// Who a child process runs as. `current` changes nothing.
struct Account {
  std::string name;  ///< empty: the current user
  static Account current() { return {}; }
  /// For servers that refuse root: postgres (else nobody) if we are root, else the current user.
  static Account unprivileged();
};

/// Starts `command` (found by PATH), stdin from /dev/null, killed with `death_signal` if this process dies.
/// `output`: file descriptor for stdout and stderr.
pid_t spawn(const std::vector<std::string>& command, int output, const Account& account, int death_signal);

struct ProcessResult {
  int exit_code = -1;  ///< 128 + signal if killed by one
  std::string output;  ///< stdout and stderr
};

/// Runs to the end, at most `limit` (then it is killed and std::runtime_error thrown).
ProcessResult run_process(const std::vector<std::string>& command,
                          const Account& account = Account::current(),
                          std::chrono::seconds limit = std::chrono::seconds(60));

/// As run_process, but a non-zero exit code throws std::runtime_error with the output.
std::string run_checked(const std::vector<std::string>& command, const Account& account = Account::current());

}  // namespace support
