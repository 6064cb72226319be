#include "src/server/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <thread>

#include "src/server/error.hpp"

namespace pgload::server {
namespace {

/// What the child tells its parent when it cannot become the program.
struct Failure {
  enum class Step : int { output, groups, user, directory, execute };
  Step step;
  int error;
};

/// All that the child needs, made before the fork: afterwards only async-signal-safe calls are allowed.
struct Image {
  std::vector<std::string> environment;
  std::vector<char*> argv;
  std::vector<char*> envp;
  pid_t parent;
  int report;
};

[[noreturn]] void give_up(int report, Failure::Step step) {
  const Failure failure{step, errno};
  // Nobody is left to tell if this fails.
  [[maybe_unused]] const auto written = ::write(report, &failure, sizeof failure);
  ::_exit(127);
}

[[noreturn]] void become(const Command& command, const Image& image) {
  ::setsid();
  // A failure (kernel before 5.11) leaves open what the parent did not mark: harmless.
  ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  const int input = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int output = ::open(command.output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (input < 0 || output < 0 || ::dup2(input, 0) < 0 || ::dup2(output, 1) < 0 || ::dup2(output, 2) < 0)
    give_up(image.report, Failure::Step::output);
  if (const Account* account = command.account) {
    if (::setgroups(account->groups.size(), account->groups.data()) != 0 ||
        ::setresgid(account->gid, account->gid, account->gid) != 0)
      give_up(image.report, Failure::Step::groups);
    if (::setresuid(account->uid, account->uid, account->uid) != 0)
      give_up(image.report, Failure::Step::user);
  }
  // After the change of user, which resets it (prctl(2), PR_SET_PDEATHSIG); the parent may be gone already.
  if (command.signal_when_orphaned != 0) ::prctl(PR_SET_PDEATHSIG, command.signal_when_orphaned);
  if (::getppid() != image.parent) ::_exit(127);
  if (::chdir(command.directory.c_str()) != 0) give_up(image.report, Failure::Step::directory);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execve(image.argv[0], image.argv.data(), image.envp.data());
  give_up(image.report, Failure::Step::execute);
}

std::vector<std::string> clean_environment() {
  std::vector<std::string> kept;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (!text.starts_with("PG") && !text.starts_with("LC_") && !text.starts_with("LANG"))
      kept.emplace_back(text);
  }
  kept.emplace_back("LC_ALL=C");
  return kept;
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (const std::string& text : texts) list.push_back(const_cast<char*>(text.c_str()));
  list.push_back(nullptr);
  return list;
}

std::string describe(const Command& command, const Failure& failure) {
  const char* reason = std::strerror(failure.error);
  switch (failure.step) {
    case Failure::Step::output:
      return fmt::format("cannot write {}: {}", command.output.string(), reason);
    case Failure::Step::groups:
    case Failure::Step::user:
      return fmt::format("cannot become user {}: {}", command.account->name, reason);
    case Failure::Step::directory:
      return fmt::format("{} cannot enter {}: {}; set TMPDIR to a folder that it can reach",
                         command.account ? "user " + command.account->name : "this user",
                         command.directory.string(), reason);
    case Failure::Step::execute:
      break;
  }
  return fmt::format("cannot execute {}: {}", command.arguments[0], reason);
}

}  // namespace

std::optional<Account> unprivileged_account() {
  if (::geteuid() != 0) return std::nullopt;
  for (const char* name : {"postgres", "nobody"}) {
    const passwd* entry = ::getpwnam(name);
    if (!entry) continue;
    Account account{name, entry->pw_uid, entry->pw_gid, {}};
    int count = 64;
    account.groups.resize(static_cast<std::size_t>(count));
    if (::getgrouplist(name, account.gid, account.groups.data(), &count) < 0) count = 0;
    account.groups.resize(static_cast<std::size_t>(count));
    return account;
  }
  throw ThrowawayServerError(
      "PostgreSQL does not run as root, and there is no user postgres or nobody to run it as; start pgload "
      "as "
      "another user");
}

pid_t start_process(const Command& command) {
  Image image{clean_environment(), pointers(command.arguments), {}, ::getpid(), -1};
  image.envp = pointers(image.environment);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw ThrowawayServerError(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  image.report = ends[1];
  const pid_t child = ::fork();
  if (child == 0) become(command, image);
  const int fork_error = errno;
  ::close(ends[1]);
  // The pipe closes on a successful exec: reading nothing means that the program runs.
  Failure failure{};
  ssize_t count = 0;
  while (child > 0) {
    count = ::read(ends[0], &failure, sizeof failure);
    if (count >= 0 || errno != EINTR) break;
  }
  ::close(ends[0]);
  if (child < 0) throw ThrowawayServerError(fmt::format("cannot fork: {}", std::strerror(fork_error)));
  if (count == sizeof failure) {
    ::waitpid(child, nullptr, 0);
    throw ThrowawayServerError(describe(command, failure));
  }
  return child;
}

std::optional<int> wait_for_exit(pid_t child, std::chrono::milliseconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  for (;;) {
    int status = 0;
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child) return status;
    if (ended < 0 && errno != EINTR) return 0;  // somebody else has collected it
    if (std::chrono::steady_clock::now() >= deadline) return std::nullopt;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

void kill_group(pid_t child) {
  ::kill(-child, SIGKILL);
  wait_for_exit(child, std::chrono::seconds(5));
  // Grandchildren are init's to collect: where there is no init, they stay countable.
  for (int i = 0; i < 100 && ::kill(-child, 0) == 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

}  // namespace pgload::server
