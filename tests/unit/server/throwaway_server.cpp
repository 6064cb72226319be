#include "src/server/throwaway_server.hpp"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

namespace fs = std::filesystem;
using pgload::server::ThrowawayServer;
using pgload::server::ThrowawayServerError;

namespace {

/// A temporary directory of its own, so that tests see their own folders only.
struct Temporary {
  Temporary() {
    std::string name = "/tmp/unit_server-XXXXXX";
    path = ::mkdtemp(name.data());
    fs::permissions(path, fs::perms(0755));
    ::setenv("TMPDIR", path.c_str(), 1);
  }
  ~Temporary() {
    ::unsetenv("TMPDIR");
    fs::remove_all(path);
  }
  fs::path path;
};

/// SIGINT and SIGTERM, as pgload blocks them before it starts anything.
struct Blocked {
  Blocked() {
    sigset_t both;
    ::sigemptyset(&both);
    ::sigaddset(&both, SIGINT);
    ::sigaddset(&both, SIGTERM);
    ::sigprocmask(SIG_BLOCK, &both, &before);
  }
  ~Blocked() { ::sigprocmask(SIG_SETMASK, &before, nullptr); }
  sigset_t before{};
};

/// Sends a startup message; the code of the authentication request that answers (10: SASL), -1 for none.
int authentication_request(std::uint16_t port, const std::string& user) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  char reply[9] = {};  // 'R', a length word, the method's code
  int code = -1;
  if (::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) {
    std::string body{'\0', '\3', '\0', '\0'};
    for (const char* text : {"user", user.c_str(), "database", "postgres"}) (body += text) += '\0';
    body += '\0';
    const std::uint32_t length = htonl(static_cast<std::uint32_t>(body.size() + 4));
    std::string message(reinterpret_cast<const char*>(&length), sizeof length);
    message += body;
    if (::write(socket, message.data(), message.size()) == static_cast<ssize_t>(message.size()))
      if (::recv(socket, reply, sizeof reply, MSG_WAITALL) == sizeof reply && reply[0] == 'R')
        code = reply[8];
  }
  ::close(socket);
  return code;
}

/// Everything of /proc/<pid>/status that starts with `key`.
std::string status_line(pid_t process, const std::string& key) {
  std::ifstream file("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(key)) return line.substr(key.size());
  return {};
}

bool runs(pid_t process) {
  const std::string state = status_line(process, "State:");
  return !state.empty() && state.find('Z') == std::string::npos;
}

/// A PostgreSQL in name only; `initdb` is a line of shell.
void write_programs(const fs::path& bindir, const std::string& initdb) {
  fs::create_directory(bindir);
  std::ofstream(bindir / "postgres") << "#!/bin/sh\necho 'postgres (PostgreSQL) 15.1 (test)'\n";
  std::ofstream(bindir / "initdb") << "#!/bin/sh\n" << initdb << '\n';
  for (const char* name : {"postgres", "initdb"}) fs::permissions(bindir / name, fs::perms(0755));
}

}  // namespace

TEST_CASE("a server starts, answers, stops, and leaves nothing behind") {
  const Temporary temporary;
  pid_t process = 0;
  std::uint16_t port = 0;
  {
    const Blocked blocked;
    const ThrowawayServer server({std::nullopt, 20, {}});
    process = server.process();
    port = server.port();
    CHECK(authentication_request(port, server.user()) == 10);  // SASL: others of this machine stay outside
    CHECK(std::atoi(server.version().c_str()) >= 10);
    CHECK(server.folder().parent_path() == temporary.path);
    CHECK(::getsid(process) == process);
    // Signals 2 (SIGINT) and 15 (SIGTERM) of the thread that started it must reach the server.
    const auto mask = std::strtoull(status_line(process, "SigBlk:").c_str(), nullptr, 16);
    CHECK((mask & ((1ULL << 1) | (1ULL << 14))) == 0);
    if (::geteuid() == 0) CHECK(std::atoi(status_line(process, "Uid:").c_str()) != 0);
  }
  CHECK_FALSE(runs(process));
  CHECK(authentication_request(port, "pgload") == -1);
  CHECK(fs::is_empty(temporary.path));
}

TEST_CASE("what a killed pgload left behind is cleared by the next start; what lives is let alone") {
  const Temporary temporary;
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  const pid_t owner = ::fork();
  if (owner == 0) {
    try {
      const ThrowawayServer server({std::nullopt, 20, {}});
      const pid_t process = server.process();
      if (::write(ends[1], &process, sizeof process) == sizeof process) ::pause();
    } catch (const ThrowawayServerError&) {
      ::_exit(2);
    }
    ::_exit(1);
  }
  ::close(ends[1]);
  pid_t abandoned = 0;
  REQUIRE(::read(ends[0], &abandoned, sizeof abandoned) == sizeof abandoned);
  ::close(ends[0]);
  // Stopped, the server cannot act on its owner's death: it takes the next start to end it.
  ::kill(abandoned, SIGSTOP);
  ::kill(owner, SIGKILL);
  ::waitpid(owner, nullptr, 0);
  fs::create_directory(temporary.path / "pgload-1-notour");  // no lock, and process 1 lives
  REQUIRE(runs(abandoned));
  {
    const ThrowawayServer next({std::nullopt, 20, {}});
    CHECK_FALSE(runs(abandoned));
    CHECK(std::distance(fs::directory_iterator(temporary.path), {}) == 2);
    const ThrowawayServer beside({std::nullopt, 20, {}});
    CHECK(authentication_request(next.port(), next.user()) == 10);
    CHECK(authentication_request(beside.port(), beside.user()) == 10);
    CHECK(next.port() != beside.port());
  }
  CHECK(std::distance(fs::directory_iterator(temporary.path), {}) == 1);
}

TEST_CASE("a failing initdb: its last lines are in the error, and the folder is gone") {
  const Temporary temporary;
  const fs::path bindir = temporary.path / "bin";
  write_programs(bindir, "echo 'no space left on the moon' >&2; exit 1");
  std::string sentence;
  try {
    const ThrowawayServer server({bindir, 20, {}});
  } catch (const ThrowawayServerError& error) {
    sentence = error.what();
  }
  CHECK(sentence.find("initdb failed") != std::string::npos);
  CHECK(sentence.find("no space left on the moon") != std::string::npos);
  CHECK(std::distance(fs::directory_iterator(temporary.path), {}) == 1);
}

TEST_CASE("a stop during initdb is prompt, and takes initdb's own children along") {
  const Temporary temporary;
  const fs::path bindir = temporary.path / "bin";
  write_programs(bindir, "sleep 600 & echo $! >\"$2/child\"; wait");  // $2 is the data directory
  pid_t child = 0;
  const auto child_is_there = [&] {
    for (const auto& entry : fs::directory_iterator(temporary.path))
      if (std::ifstream(entry.path() / "data" / "child") >> child) return true;
    return false;
  };
  CHECK_THROWS_AS(ThrowawayServer({bindir, 20, child_is_there}), pgload::server::Interrupted);
  CHECK(child > 0);
  CHECK_FALSE(runs(child));
  CHECK(std::distance(fs::directory_iterator(temporary.path), {}) == 1);
}

TEST_CASE("a folder that cannot be made is named") {
  ::setenv("TMPDIR", "/nonexistent", 1);
  std::string sentence;
  try {
    const ThrowawayServer server({std::nullopt, 20, {}});
  } catch (const ThrowawayServerError& error) {
    sentence = error.what();
  }
  ::unsetenv("TMPDIR");
  CHECK(sentence.find("/nonexistent") != std::string::npos);
  CHECK(sentence.find("TMPDIR") != std::string::npos);
}
