#include "src/server/throwaway_server.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>

#include "src/server/binaries.hpp"

namespace pgload::server {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kInitdbLimit{120};
constexpr seconds kStartLimit{60};
constexpr seconds kFastStopLimit{5};
constexpr seconds kImmediateStopLimit{2};
constexpr int kPortAttempts = 8;
/// Beside the sessions: superuser_reserved_connections (3), checks before the run, a look by hand.
constexpr std::uint32_t kSpareConnections = 10;

/// A port that is free now. Somebody may take it before the server does: then another one is tried.
std::uint16_t free_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  const bool bound =
      socket >= 0 && ::bind(socket, generic, length) == 0 && ::getsockname(socket, generic, &length) == 0;
  const int error = errno;
  if (socket >= 0) ::close(socket);
  if (!bound) throw ThrowawayServerError(fmt::format("no free port on 127.0.0.1: {}", std::strerror(error)));
  return ntohs(address.sin_port);
}

std::string last_lines(const fs::path& file, std::size_t count) {
  std::ifstream stream(file);
  std::deque<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    if (line.empty()) continue;
    lines.push_back(line);
    if (lines.size() > count) lines.pop_front();
  }
  std::string text;
  for (const std::string& line : lines) text += "\n  " + line;
  return text;
}

bool contains(const fs::path& file, std::string_view what) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);)
    if (line.find(what) != std::string::npos) return true;
  return false;
}

std::string random_password() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw ThrowawayServerError("no random bytes for a password");
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

/// For initdb's eyes only; gone with the folder.
void write_private_file(const fs::path& path, const std::string& text, const std::optional<Account>& owner) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  bool good = file >= 0 && ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (good && owner) good = ::fchown(file, owner->uid, owner->gid) == 0;
  const int error = errno;
  if (file >= 0) ::close(file);
  if (!good)
    throw ThrowawayServerError(fmt::format("cannot write {}: {}", path.string(), std::strerror(error)));
}

void make_directory(const fs::path& path, const std::optional<Account>& owner) {
  if (::mkdir(path.c_str(), 0700) != 0 || (owner && ::chown(path.c_str(), owner->uid, owner->gid) != 0))
    throw ThrowawayServerError(fmt::format("cannot make {}: {}", path.string(), std::strerror(errno)));
}

/// "postgres (PostgreSQL) 15.20 (Debian …)" -> "15.20 (Debian …)".
std::string version_in(const fs::path& log) {
  std::ifstream stream(log);
  std::string line;
  std::getline(stream, line);
  const auto name_end = line.find(") ");
  return name_end == std::string::npos ? std::string() : line.substr(name_end + 2);
}

}  // namespace

ThrowawayServer::ThrowawayServer(const Settings& settings) : stop_wanted_(settings.stop) {
  const char* path = std::getenv("PATH");
  bindir_ = find_bindir(settings.bindir, path ? path : "");
  account_ = unprivileged_account();
  const fs::path parent = temporary_directory();
  clear_abandoned_folders(parent);
  try {
    folder_ = make_locked_folder(parent);
    make_directory(data(), account_);
    make_cluster();
    start(settings.max_connections);
  } catch (...) {
    stop();
    throw;
  }
}

ThrowawayServer::~ThrowawayServer() { stop(); }

Command ThrowawayServer::command(const char* program) const {
  return {{(bindir_ / program).string()}, folder_.path, log(), account_ ? &*account_ : nullptr, SIGQUIT};
}

/// Polls until the child ends, at most `limit`. Throws Interrupted, the child still running.
std::optional<int> ThrowawayServer::wait(pid_t child, milliseconds limit) const {
  constexpr milliseconds kPiece{10};
  for (; limit > kPiece; limit -= kPiece) {
    if (const auto status = wait_for_exit(child, kPiece)) return status;
    if (stop_wanted_ && stop_wanted_()) throw Interrupted();
  }
  return wait_for_exit(child, limit);
}

void ThrowawayServer::make_cluster() {
  Command ask = command("postgres");
  ask.arguments.emplace_back("--version");
  const pid_t asked = start_process(ask);
  if (wait_for_exit(asked, kStartLimit) == 0) version_ = version_in(log());
  const int major = std::atoi(version_.c_str());
  if (major < 10)
    throw ThrowawayServerError(fmt::format(
        "{} is not a PostgreSQL 10 or later; name another folder with --pg-bindir", ask.arguments[0]));
  password_ = random_password();
  const fs::path password_file = folder_.path / "password";
  write_private_file(password_file, password_ + "\n", account_);
  Command initdb = command("initdb");
  initdb.arguments.insert(initdb.arguments.end(),
                          {"-D", data().string(), "-U", user_, "-A", "scram-sha-256",
                           "--pwfile=" + password_file.string(), "--no-sync", "--locale=C", "-E", "UTF8"});
  if (major >= 18) initdb.arguments.emplace_back("--no-data-checksums");  // on by default since then
  const pid_t child = start_process(initdb);
  std::optional<int> status;
  try {
    status = wait(child, kInitdbLimit);
  } catch (const Interrupted&) {
    kill_group(child);
    throw;
  }
  if (!status) kill_group(child);
  if (status != 0)
    throw ThrowawayServerError(fmt::format("{} failed:{}", initdb.arguments[0], last_lines(log(), 5)));
}

void ThrowawayServer::start(std::uint32_t max_connections) {
  for (int attempt = 0; attempt < kPortAttempts; ++attempt) {
    port_ = free_port();
    Command server = command("postgres");
    server.arguments.insert(server.arguments.end(), {"-D", data().string()});
    for (const auto& setting :
         {fmt::format("port={}", port_),
          fmt::format("max_connections={}", std::uint64_t{max_connections} + kSpareConnections),
          std::string("listen_addresses=127.0.0.1"), std::string("unix_socket_directories="),
          std::string("fsync=off"), std::string("synchronous_commit=off"),
          std::string("full_page_writes=off"), std::string("shared_buffers=256MB")})
      server.arguments.insert(server.arguments.end(), {"-c", setting});
    std::error_code ignored;
    fs::remove(log(), ignored);
    postmaster_ = start_process(server);
    if (wait_until_ready()) return;
    if (!contains(log(), "could not bind")) break;
  }
  throw ThrowawayServerError(
      fmt::format("{} did not start:{}", (bindir_ / "postgres").string(), last_lines(log(), 5)));
}

/// False if the postmaster ended, or is still not ready at the deadline. Throws Interrupted.
bool ThrowawayServer::wait_until_ready() {
  const auto deadline = std::chrono::steady_clock::now() + kStartLimit;
  while (std::chrono::steady_clock::now() < deadline) {
    if (pidfile_line(data(), 7) == "ready") return true;
    if (stop_wanted_ && stop_wanted_()) throw Interrupted();
    if (wait_for_exit(postmaster_, milliseconds(5))) {
      postmaster_ = -1;
      return false;
    }
  }
  return false;
}

void ThrowawayServer::stop() noexcept {
  if (postmaster_ > 0) {
    // Fast, immediate, no questions (manual: "Shutting Down the Server").
    for (const auto& [signal, limit] :
         {std::pair(SIGINT, kFastStopLimit), std::pair(SIGQUIT, kImmediateStopLimit),
          std::pair(SIGKILL, kFastStopLimit)}) {
      ::kill(postmaster_, signal);
      if (wait_for_exit(postmaster_, limit)) break;
    }
    postmaster_ = -1;
  }
  remove_locked_folder(folder_);
}

}  // namespace pgload::server
