#include "src/server/folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>

#include "src/server/error.hpp"

namespace pgload::server {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr std::string_view kPrefix = "pgload-";

/// The process that made a folder of this name; 0 if it is not such a folder.
pid_t owner_of(std::string_view name) {
  if (!name.starts_with(kPrefix)) return 0;
  name.remove_prefix(kPrefix.size());
  pid_t owner = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), owner);
  const auto rest = name.substr(static_cast<std::size_t>(end - name.data()));
  return error == std::errc() && owner > 0 && rest.size() == 7 && rest[0] == '-' ? owner : 0;
}

/// Is this process a server of this data directory? A postmaster works in it (and a number may have been
/// reused).
bool serves(pid_t process, const fs::path& data_directory) {
  std::error_code error;
  const fs::path works_in = fs::read_symlink(fmt::format("/proc/{}/cwd", process), error);
  return !error && works_in == fs::canonical(data_directory, error) && !error;
}

void stop_server(const fs::path& data_directory) {
  const pid_t process = std::atoi(pidfile_line(data_directory, 0).c_str());
  if (process <= 1) return;
  for (const int signal : {SIGQUIT, SIGKILL}) {
    if (!serves(process, data_directory)) return;
    ::kill(process, signal);
    ::kill(process, SIGCONT);
    const auto deadline = std::chrono::steady_clock::now() + milliseconds(3000);
    while (serves(process, data_directory) && std::chrono::steady_clock::now() < deadline)
      std::this_thread::sleep_for(milliseconds(5));
  }
}

/// A killed postmaster leaves a small System V segment, which nothing else would ever remove.
void remove_shared_memory(const fs::path& data_directory) {
  std::istringstream line(pidfile_line(data_directory, 6));
  long key = 0;
  int id = -1;
  shmid_ds state{};
  if (!(line >> key >> id) || ::shmctl(id, IPC_STAT, &state) != 0) return;
  if (state.shm_nattch == 0 && static_cast<long>(static_cast<unsigned>(state.shm_perm.__key)) == key)
    ::shmctl(id, IPC_RMID, nullptr);
}

void clear(const fs::path& folder) {
  struct stat status{};
  if (::lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != ::geteuid())
    return;
  LockedFolder abandoned{folder, ::open((folder / "lock").c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC)};
  if (abandoned.lock < 0) {
    // Killed before it made its lock, or just about to make it.
    const pid_t owner = owner_of(folder.filename().string());
    if (errno != ENOENT || ::kill(owner, 0) == 0 || errno != ESRCH) return;
  } else if (::flock(abandoned.lock, LOCK_EX | LOCK_NB) != 0) {
    ::close(abandoned.lock);
    return;
  } else {
    stop_server(folder / "data");
    remove_shared_memory(folder / "data");
  }
  remove_locked_folder(abandoned);
}

}  // namespace

fs::path temporary_directory() {
  const char* named = std::getenv("TMPDIR");
  return named && *named ? fs::absolute(named) : fs::path("/tmp");
}

LockedFolder make_locked_folder(const fs::path& parent) {
  std::string name = (parent / fmt::format("{}{}-XXXXXX", kPrefix, ::getpid())).string();
  if (!::mkdtemp(name.data()))
    throw ThrowawayServerError(
        fmt::format("cannot make a folder for the server in {}: {}; set TMPDIR to one that "
                    "is writable",
                    parent.string(), std::strerror(errno)));
  LockedFolder folder{name, -1};
  // The file gets its name only once it is locked: whoever finds it free may take its owner for dead.
  const fs::path unlocked = folder.path / "lock.new";
  folder.lock = ::open(unlocked.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (folder.lock < 0 || ::flock(folder.lock, LOCK_EX | LOCK_NB) != 0 ||
      ::rename(unlocked.c_str(), (folder.path / "lock").c_str()) != 0 || ::chmod(name.c_str(), 0755) != 0) {
    const int error = errno;
    remove_locked_folder(folder);
    throw ThrowawayServerError(fmt::format("cannot lock {}: {}", name, std::strerror(error)));
  }
  return folder;
}

void remove_locked_folder(LockedFolder& folder) noexcept {
  std::error_code ignored;
  if (!folder.path.empty()) fs::remove_all(folder.path, ignored);
  if (folder.lock >= 0) ::close(folder.lock);
  folder = {};
}

void clear_abandoned_folders(const fs::path& parent) noexcept {
  try {
    for (const auto& entry : fs::directory_iterator(parent))
      if (owner_of(entry.path().filename().string()) != 0) clear(entry.path());
  } catch (const std::exception&) {
    // A folder that cannot be read or removed must not keep this run from starting.
  }
}

std::string pidfile_line(const fs::path& data_directory, int line) {
  std::ifstream file(data_directory / "postmaster.pid");
  std::string text;
  for (int number = 0; number <= line; ++number)
    if (!std::getline(file, text)) return {};
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

}  // namespace pgload::server
