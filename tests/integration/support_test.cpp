// The tools of the tests themselves: proven with psql, apart from the client that they are made to test.

#include <doctest/doctest.h>
#include <signal.h>

#include "tests/support/backend_messages.hpp"
#include "tests/support/fake_server.hpp"
#include "tests/support/fault_proxy.hpp"
#include "tests/support/postgres_server.hpp"
#include "tests/support/run_process.hpp"

namespace {

support::PostgresServer& server() {
  static support::PostgresServer one({.tls = true});
  return one;
}

std::string address(std::uint16_t port, const std::string& more = "") {
  return "host=localhost hostaddr=127.0.0.1 user=postgres dbname=postgres port=" + std::to_string(port) +
         " " + more;
}

support::ProcessResult psql(const std::string& conninfo, const std::string& sql) {
  return support::run_process({"psql", "-X", "-q", "-A", "-t", "-d", conninfo, "-c", sql});
}

TEST_CASE("a private PostgreSQL answers, restarts, and shows another certificate") {
  CHECK(server().sql("select 40 + 2") == "42");
  server().restart();
  CHECK(server().sql("select 40 + 2") == "42");
  const std::string verify = "sslmode=verify-full sslrootcert=" + server().tls_file("ca.crt");
  CHECK(psql(address(server().port(), verify), "select 1").output == "1\n");
  server().use_certificate("wronghost");
  CHECK(psql(address(server().port(), verify), "select 1").exit_code != 0);
  server().use_certificate("server");
  CHECK(psql(address(server().port(), verify), "select 1").exit_code == 0);
}

TEST_CASE("the proxy passes, slices, stalls and cuts") {
  support::FaultProxy proxy(server().port());
  const std::string plain = address(proxy.port(), "sslmode=disable");
  CHECK(psql(plain, "select 1").output == "1\n");
  proxy.slice(true);
  CHECK(psql(plain, "select repeat('x', 3)").output == "xxx\n");
  proxy.slice(false);
  proxy.delay(std::chrono::milliseconds(20));
  CHECK(psql(plain, "select 1").output == "1\n");
  proxy.delay(std::chrono::milliseconds(0));
  proxy.stall(true);
  CHECK(psql(plain + " connect_timeout=2", "select 1").output.find("timeout") != std::string::npos);
  proxy.stall(false);
  CHECK(psql(plain, "select 1").output == "1\n");
}

TEST_CASE("the fake server plays its script and tells of a client that does something else") {
  using namespace support::backend;
  support::FakeServer fake([](support::FakeSession& session) {
    session.accept_startup(welcome());
    session.expect('Q');
    session.send_sliced(row_description({{"a"}}) + data_row({"hello"}) + command_complete("SELECT 1") +
                        ready());
    session.expect('X');
  });
  CHECK(psql(address(fake.port(), "sslmode=prefer"), "select 1").output == "hello\n");
  CHECK(fake.finish() == "");

  support::FakeServer other([](support::FakeSession& session) {
    session.accept_startup(welcome());
    session.expect('P');
  });
  CHECK(psql(address(other.port(), "sslmode=disable"), "select 1").exit_code != 0);
  CHECK(other.finish() == "expected message P, got Q");
}

TEST_CASE("a process runs as another user, with its exit code, and not for ever") {
  CHECK(support::run_process({"sh", "-c", "echo out; echo err >&2; exit 3"}).exit_code == 3);
  CHECK(support::run_process({"sh", "-c", "kill -9 $$"}).exit_code == 128 + SIGKILL);
  CHECK_THROWS(support::run_process({"sleep", "100"}, {}, std::chrono::seconds(1)));
  const support::Account account = support::Account::unprivileged();
  if (!account.name.empty()) CHECK(support::run_checked({"id", "-un"}, account) == account.name + "\n");
}

}  // namespace
