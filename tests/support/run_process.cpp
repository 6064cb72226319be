#include "tests/support/run_process.hpp"

#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace support {
namespace {

[[noreturn]] void become(char* const* argv, int output, const passwd* account, int death_signal,
                         pid_t parent) {
  const int null = open("/dev/null", O_RDONLY);
  dup2(null, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  if (account != nullptr && (initgroups(account->pw_name, account->pw_gid) != 0 ||
                             setgid(account->pw_gid) != 0 || setuid(account->pw_uid) != 0)) {
    _exit(126);
  }
  prctl(PR_SET_PDEATHSIG, death_signal);  // after setuid, which clears it
  if (getppid() != parent) _exit(126);
  execvp(argv[0], argv);
  _exit(127);
}

/// Reads until the writers are gone; false if the time is over.
bool drain(int pipe, std::string& output, std::chrono::steady_clock::time_point end) {
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    pollfd entry{pipe, POLLIN, 0};
    const int ready = left.count() > 0 ? poll(&entry, 1, static_cast<int>(left.count())) : 0;
    if (ready == 0) return false;
    if (ready < 0 && errno == EINTR) continue;
    char buffer[4096];
    const ssize_t count = read(pipe, buffer, sizeof buffer);
    if (count <= 0) return true;
    output.append(buffer, static_cast<std::size_t>(count));
  }
}

}  // namespace

Account Account::unprivileged() {
  if (geteuid() != 0) return {};
  return {getpwnam("postgres") != nullptr ? "postgres" : "nobody"};
}

pid_t spawn(const std::vector<std::string>& command, int output, const Account& account, int death_signal) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const passwd* entry = account.name.empty() ? nullptr : getpwnam(account.name.c_str());
  if (!account.name.empty() && entry == nullptr) throw std::runtime_error("no user " + account.name);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) become(argv.data(), output, entry, death_signal, parent);
  return child;
}

ProcessResult run_process(const std::vector<std::string>& command, const Account& account,
                          std::chrono::seconds limit) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe2");
  const pid_t child = spawn(command, ends[1], account, SIGKILL);
  close(ends[1]);
  ProcessResult result;
  const bool ended = drain(ends[0], result.output, std::chrono::steady_clock::now() + limit);
  close(ends[0]);
  if (!ended) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!ended) throw std::runtime_error(command[0] + " did not end in time: " + result.output);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

std::string run_checked(const std::vector<std::string>& command, const Account& account) {
  ProcessResult result = run_process(command, account);
  if (result.exit_code != 0) {
    throw std::runtime_error(command[0] + " ended with " + std::to_string(result.exit_code) + ": " +
                             result.output);
  }
  return std::move(result.output);
}

}  // namespace support
