#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "src/server/error.hpp"
#include "src/server/folder.hpp"
#include "src/server/process.hpp"

namespace pgload::server {

/// A private PostgreSQL for one run: a folder of its own under the temporary directory, a free loopback port,
/// a process session of its own (Ctrl-C in the terminal does not reach it), a random password, so
/// that other users of the machine stay outside, no durability. Started as root it runs as an unprivileged
/// user. Stopped and removed by the destructor; what a killed pgload left behind is cleared away by the next
/// start. To be made on a thread that outlives it: the server is told to stop when that thread ends.
class ThrowawayServer {
 public:
  struct Settings {
    std::optional<std::filesystem::path>
        bindir;                           ///< --pg-bindir; else PATH, then versioned folders, newest first
    std::uint32_t max_connections = 100;  ///< that pgload wants to open
    std::function<bool()> stop;           ///< asked often while the server is made; may be empty
  };

  /// Throws ThrowawayServerError; without binaries: one line that says how to get them. Once `stop` is true:
  /// Interrupted, soon, with nothing left behind.
  explicit ThrowawayServer(const Settings& settings);
  ~ThrowawayServer();
  ThrowawayServer(const ThrowawayServer&) = delete;
  ThrowawayServer& operator=(const ThrowawayServer&) = delete;

  std::uint16_t port() const { return port_; }
  const std::string& password() const { return password_; }
  const std::string& user() const { return user_; }  ///< superuser of the server; its database is `postgres`
  const std::string& version() const { return version_; }  ///< "15.20 (Debian …)"
  const std::filesystem::path& folder() const { return folder_.path; }
  pid_t process() const { return postmaster_; }

 private:
  std::optional<int> wait(pid_t child, std::chrono::milliseconds limit) const;
  void make_cluster();
  void start(std::uint32_t max_connections);
  bool wait_until_ready();
  void stop() noexcept;
  Command command(const char* program) const;
  std::filesystem::path data() const { return folder_.path / "data"; }
  std::filesystem::path log() const { return folder_.path / "log"; }

  std::function<bool()> stop_wanted_;
  std::filesystem::path bindir_;
  std::optional<Account> account_;
  LockedFolder folder_;
  std::uint16_t port_ = 0;
  std::string user_ = "pgload";
  std::string password_;
  std::string version_;
  pid_t postmaster_ = -1;
};

}  // namespace pgload::server
