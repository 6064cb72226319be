#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "tests/support/scratch_folder.hpp"

namespace support {

/// A private real PostgreSQL: its own folder, a free port on 127.0.0.1 and ::1, a Unix socket, no durability.
/// Database and superuser are "postgres", who may log in over the Unix socket without a password. Gone with
/// its owner, and with this process.
class PostgresServer {
 public:
  struct Settings {
    std::string configuration{};                   ///< lines for postgresql.conf
    std::string hba = "host all all all trust\n";  ///< lines for pg_hba.conf after the superuser's own
    std::string ident{};                           ///< lines for pg_ident.conf
    bool tls = false;  ///< ssl=on, certificate "server", client certificates of "ca"
  };

  explicit PostgresServer(const Settings& settings);
  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  std::uint16_t port() const { return port_; }
  const std::filesystem::path& socket_folder() const { return scratch_.path(); }
  /// Of a file that certificates.sh makes: tls_file("alice.key").
  std::string tls_file(std::string_view name) const { return scratch_.path() / "tls" / name; }
  pid_t postmaster() const { return postmaster_; }

  /// Runs SQL as superuser, returns psql's unaligned output without the last line end. Throws on an error.
  std::string sql(const std::string& text) const;
  /// From the next connection on the server shows this certificate.
  void use_certificate(const std::string& name);

  void start();
  void stop();  ///< immediate: connections are cut
  void restart() {
    stop();
    start();
  }

 private:
  void initialize(const Settings& settings);
  bool launch();
  std::string log() const;
  std::filesystem::path binary(std::string_view name) const;

  ScratchFolder scratch_;
  std::filesystem::path data_;
  std::uint16_t port_ = 0;
  pid_t postmaster_ = -1;
};

/// A port that was free on 127.0.0.1 a moment ago.
std::uint16_t free_port();

}  // namespace support
