#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>

namespace pgload::server {

struct ThrowawayServerError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A private PostgreSQL for one run: a folder of its own under the temporary directory, a free loopback port, a
/// process session of its own (Ctrl-C in the terminal does not reach it), trust authentication, no durability.
/// Started as root it runs as an unprivileged user. Stopped and removed by the destructor; what a killed pgload
/// left behind is cleared away by the next start.
class ThrowawayServer {
 public:
  struct Settings {
    std::optional<std::filesystem::path> bindir;  ///< --pg-bindir; else PATH, then versioned folders, newest first
    std::uint32_t max_connections = 100;
  };

  /// Throws ThrowawayServerError; without binaries: one line that says how to get them.
  explicit ThrowawayServer(const Settings& settings);
  ~ThrowawayServer();
  ThrowawayServer(const ThrowawayServer&) = delete;
  ThrowawayServer& operator=(const ThrowawayServer&) = delete;

  std::uint16_t port() const { return port_; }
  const std::string& user() const { return user_; }  ///< superuser of the server
  const std::string& version() const { return version_; }
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path bindir_;
  std::filesystem::path folder_;
  std::uint16_t port_ = 0;
  std::string user_ = "pgload";
  std::string version_;
  pid_t postmaster_ = -1;
  int folder_lock_ = -1;
};

}  // namespace pgload::server
