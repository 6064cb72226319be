#include "tests/support/postgres_server.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "tests/support/run_process.hpp"

namespace support {
namespace {

namespace fs = std::filesystem;

/// The newest of Debian's versioned folders, else by PATH.
fs::path bindir() {
  fs::path best;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator("/usr/lib/postgresql", none)) {
    const fs::path folder = entry.path() / "bin";
    if (fs::exists(folder / "postgres") && folder > best) best = folder;
  }
  return best;
}

std::string contents(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

void append(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::app) << text; }

/// There is no event for "the postmaster is ready": its files say so, looked at every few milliseconds.
template <class Condition>
bool becomes_true(Condition condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    poll(nullptr, 0, 5);
  }
  return true;
}

std::size_t count(const std::string& text, std::string_view word) {
  std::size_t found = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

}  // namespace

std::uint16_t free_port() {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(fd, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    throw std::runtime_error("no free port on 127.0.0.1");
  }
  close(fd);
  return ntohs(address.sin_port);
}

PostgresServer::PostgresServer(const Settings& settings) : data_(scratch_.path() / "data") {
  initialize(settings);
  start();
}

PostgresServer::~PostgresServer() {
  if (postmaster_ > 0) stop();
}

fs::path PostgresServer::binary(std::string_view name) const {
  static const fs::path folder = bindir();
  return folder / name;
}

void PostgresServer::initialize(const Settings& settings) {
  const Account account = Account::unprivileged();
  if (!account.name.empty()) run_checked({"chown", account.name, scratch_.path()});
  run_checked({binary("initdb"), "-D", data_, "-U", "postgres", "-A", "trust", "--no-sync",
               "--no-instructions", "--locale=C", "-E", "UTF8"},
              account);
  append(data_ / "postgresql.conf",
         "listen_addresses = '127.0.0.1, ::1'\nunix_socket_directories = '" + scratch_.path().string() +
             "'\nfsync = off\nsynchronous_commit = off\nfull_page_writes = off\nshared_buffers = 64MB\n"
             "max_connections = 200\nlog_timezone = 'UTC'\nlc_messages = 'C'\n" +
             settings.configuration + "\n");
  std::ofstream(data_ / "pg_hba.conf") << "local all postgres trust\n" << settings.hba;
  append(data_ / "pg_ident.conf", settings.ident);
  if (!settings.tls) return;
  const fs::path tls = scratch_.path() / "tls";
  fs::create_directory(tls);
  run_checked({TESTS_SUPPORT_FOLDER "/certificates.sh", tls});
  append(data_ / "postgresql.conf",
         "ssl = on\nssl_ca_file = 'ca.crt'\nssl_cert_file = 'shown.crt'\nssl_key_file = 'shown.key'\n");
  run_checked({"cp", tls / "ca.crt", data_});
  if (!account.name.empty()) run_checked({"chown", account.name, data_ / "ca.crt"});
  use_certificate("server");
}

void PostgresServer::use_certificate(const std::string& name) {
  for (const std::string suffix : {".crt", ".key"}) {
    const fs::path target = data_ / ("shown" + suffix);
    run_checked({"cp", tls_file(name + suffix), target});
    if (const Account account = Account::unprivileged(); !account.name.empty()) {
      run_checked({"chown", account.name, target});
    }
  }
  if (postmaster_ < 0) return;
  // The postmaster writes the line, reloads, and only then accepts again: it is one thread.
  constexpr std::string_view kReloading = "received SIGHUP";
  const std::size_t before = count(log(), kReloading);
  kill(postmaster_, SIGHUP);
  if (!becomes_true([&] { return count(log(), kReloading) > before; })) {
    throw std::runtime_error("the server did not reload: " + log());
  }
}

std::string PostgresServer::sql(const std::string& text) const {
  std::string output =
      run_checked({"psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", scratch_.path(), "-p",
                   std::to_string(port_), "-U", "postgres", "-d", "postgres", "-c", text});
  if (output.ends_with('\n')) output.pop_back();
  return output;
}

void PostgresServer::start() {
  // Another process may take the port between the look and the bind: then with the next one.
  for (int attempt = 0; attempt < 5; ++attempt) {
    if (port_ == 0) port_ = free_port();
    if (launch()) return;
    port_ = 0;
  }
  throw std::runtime_error("PostgreSQL did not start: " + log());
}

bool PostgresServer::launch() {
  const int log = open((scratch_.path() / "log").c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
  postmaster_ = spawn({binary("postgres"), "-D", data_, "-p", std::to_string(port_)}, log,
                      Account::unprivileged(), SIGQUIT);
  close(log);
  bool ended = false;
  const bool ready = becomes_true([&] {
    ended = waitpid(postmaster_, nullptr, WNOHANG) == postmaster_;
    return ended || contents(data_ / "postmaster.pid").find("\nready") != std::string::npos;
  });
  if (ended) postmaster_ = -1;
  return ready && !ended;
}

void PostgresServer::stop() {
  kill(postmaster_, SIGQUIT);
  while (waitpid(postmaster_, nullptr, 0) < 0 && errno == EINTR) {
  }
  postmaster_ = -1;
}

std::string PostgresServer::log() const { return contents(scratch_.path() / "log"); }

}  // namespace support
