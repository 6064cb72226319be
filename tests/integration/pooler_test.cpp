// Through PgBouncer, which offers TLS and SCRAM, but no channel binding: case A5.

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "tests/integration/client.hpp"
#include "tests/integration/login_server.hpp"
#include "tests/support/run_process.hpp"

namespace {

using integration::Client;
using integration::conninfo;
using integration::login_server;
using proto_pg::wire::Errc;

class PgBouncer {
 public:
  PgBouncer() : port_(support::free_port()) {
    const std::string folder = scratch_.path();
    for (const std::string file : {"server.crt", "server.key"}) {
      support::run_checked({"cp", login_server().tls_file(file), folder});
    }
    std::ofstream(folder + "/users") << "\"scram_u\" \"secret\"\n";
    std::ofstream(folder + "/ini")
        << "[databases]\npostgres = host=" << login_server().socket_folder().string()
        << " port=" << login_server().port() << " user=postgres\n"
        << "[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = " << port_
        << "\nauth_type = scram-sha-256\nauth_file = " << folder
        << "/users\nunix_socket_dir =\nclient_tls_sslmode = allow\nclient_tls_key_file = " << folder
        << "/server.key\nclient_tls_cert_file = " << folder << "/server.crt\nlogfile = " << folder
        << "/log\n";
    const support::Account account = support::Account::unprivileged();
    if (!account.name.empty()) support::run_checked({"chown", "-R", account.name, folder});
    const int output = open((folder + "/output").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    process_ = support::spawn({"pgbouncer", folder + "/ini"}, output, account, SIGKILL);
    close(output);
  }
  ~PgBouncer() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  std::uint16_t port() const { return port_; }
  bool running() const { return waitpid(process_, nullptr, WNOHANG) == 0; }

 private:
  support::ScratchFolder scratch_;
  std::uint16_t port_;
  pid_t process_ = -1;
};

std::string address(const PgBouncer& pooler, const std::string& more) {
  return conninfo(pooler.port(), "scram_u", "password=secret " + more);
}

TEST_CASE("a pooler that offers plain SCRAM over TLS (A5)") {
  if (support::run_process({"pgbouncer", "--version"}).exit_code != 0) {
    MESSAGE("pgbouncer is not installed: skipped");
    return;
  }
  const PgBouncer pooler;
  // It says nothing when it listens: the first good connection does.
  while (Client(address(pooler, "sslmode=disable connect_timeout=2")).open().failed())
    REQUIRE(pooler.running());
  for (const std::string binding : {"prefer", "disable"}) {
    CAPTURE(binding);
    Client client(address(pooler, "sslmode=require channel_binding=" + binding));
    client.open();
    INFO(client.failure().text);
    REQUIRE(!client.failure().failed());
    CHECK(client.connection().authentication_method() == "scram-sha-256");
    CHECK(client.value("select 'through'") == "through");
  }
  Client strict(address(pooler, "sslmode=require channel_binding=require"));
  CHECK(strict.open().code == Errc::channel_binding_missing);
}

}  // namespace
