// Authentication against a real PostgreSQL: cases A1, A3, A15, C1, C6.

#include <doctest/doctest.h>
#include <unistd.h>

#include "tests/integration/client.hpp"
#include "tests/integration/login_server.hpp"
#include "tests/support/run_process.hpp"

namespace {

using integration::Client;
using integration::conninfo;
using integration::login_server;
using proto_pg::wire::Errc;

const std::string kPasswordPart = R"(password='se cret\'%\\' )";

std::string at_server(const std::string& user, const std::string& more) {
  return conninfo(login_server().port(), user, more);
}

std::string with_client_certificate(const std::string& name) {
  return "sslmode=require sslcert=" + login_server().tls_file(name + ".crt") +
         " sslkey=" + login_server().tls_file(name + ".key") + " ";
}

TEST_CASE("every method logs in, with and without TLS") {
  const std::vector<std::pair<std::string, std::string>> plain = {
      {"trust_u", "trust"}, {"plain_u", "password"}, {"md5_u", "md5"}, {"scram_u", "scram-sha-256"}};
  for (const auto& [user, method] : plain) {
    for (const std::string tls : {"disable", "require"}) {
      CAPTURE(user);
      CAPTURE(tls);
      Client client(at_server(user, kPasswordPart + "sslmode=" + tls));
      client.open();
      INFO(client.failure().text);
      REQUIRE(!client.failure().failed());
      const bool plus = user == "scram_u" && tls == "require";
      CHECK(client.connection().authentication_method() == (plus ? "scram-sha-256-plus" : method));
      CHECK(client.connection().tls() == (tls == "require"));
      CHECK(client.value("select current_user") == user);
      CHECK(client.connection().process_id() > 0);
      CHECK(client.connection().parameter("server_version").has_value());
    }
  }
}

TEST_CASE("a wrong password, none, and an unknown role are told apart (A15)") {
  for (const std::string user : {"plain_u", "md5_u", "scram_u"}) {
    CAPTURE(user);
    Client wrong(at_server(user, "password=wrong-one"));
    wrong.open();
    CHECK(wrong.refused_with("28P01"));
    CHECK(wrong.failure().text.find("wrong-one") == std::string::npos);
    Client none(at_server(user, ""));
    CHECK(none.open().code == Errc::password_missing);
    Client empty(at_server(user, "password=''"), {.environment = {{"PGPASSWORD", "from the environment"}}});
    CHECK(empty.open().failed());
  }
  Client nobody(at_server("nobody_here", "sslmode=disable"));
  nobody.open();
  CHECK(nobody.refused_with("28000"));
  Client nowhere(conninfo(login_server().port(), "trust_u", "dbname=no_such_database"));
  nowhere.open();
  CHECK(nowhere.refused_with("3D000"));
}

TEST_CASE("passwords that need SASLprep, or that it refuses (A1)") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"odd_1", "\u00aa\u2168x"},
      {"odd_1", "aIXx"},  // NFKC
      {"odd_2", "a\u00adb\u00a0c"},
      {"odd_2", "'ab c'"},  // mapped to nothing, mapped to a space
      {"odd_3", "a\ab"},
      {"odd_4", "\u0627x"},  // refused by the profile: the raw bytes count
  };
  for (const auto& [user, password] : cases) {
    CAPTURE(user);
    Client client(at_server(user, "password=" + password));
    client.open();
    INFO(client.failure().text);
    CHECK(!client.failure().failed());
  }
  Client wrong(at_server("odd_1", "password=aIX"));
  wrong.open();
  CHECK(wrong.refused_with("28P01"));
}

TEST_CASE("channel binding (A3)") {
  Client bound(at_server("scram_u", kPasswordPart + "sslmode=require channel_binding=require"));
  bound.open();
  INFO(bound.failure().text);
  REQUIRE(!bound.failure().failed());
  CHECK(bound.connection().authentication_method() == "scram-sha-256-plus");
  Client off(at_server("scram_u", kPasswordPart + "sslmode=require channel_binding=disable"));
  REQUIRE(!off.open().failed());
  CHECK(off.connection().authentication_method() == "scram-sha-256");
  Client no_tls(at_server("scram_u", kPasswordPart + "sslmode=disable channel_binding=require"));
  CHECK(no_tls.open().code == Errc::channel_binding_missing);
  for (const std::string user : {"trust_u", "plain_u", "md5_u"}) {
    CAPTURE(user);
    Client other(at_server(user, kPasswordPart + "sslmode=require channel_binding=require"));
    CHECK(other.open().code == Errc::channel_binding_missing);
  }
}

TEST_CASE("client certificates: right, mapped, somebody else's, none") {
  Client alice(at_server("alice", with_client_certificate("alice")));
  alice.open();
  INFO(alice.failure().text);
  CHECK(!alice.failure().failed());
  Client mapped(at_server("mapped", with_client_certificate("alice")));
  CHECK(!mapped.open().failed());
  Client bob(at_server("bob", with_client_certificate("bob") + kPasswordPart));
  CHECK(!bob.open().failed());
  Client somebody(at_server("alice", with_client_certificate("bob")));
  somebody.open();
  CHECK(somebody.refused_with("28000"));
  Client none(at_server("alice", "sslmode=require"));
  none.open();
  CHECK(none.refused_with("28000"));
}

TEST_CASE("the password comes from the password file, the environment, a URI (C1)") {
  support::ScratchFolder home;
  const std::string pgpass = home.path() / ".pgpass";
  support::run_checked(
      {"sh", "-c", "umask 077; printf '%s\\n' '127.0.0.1:*:*:scram_u:se cret'\\''%\\\\' > " + pgpass});
  Client file(at_server("scram_u", ""), {.home = home.path()});
  file.open();
  INFO(file.failure().text);
  CHECK(!file.failure().failed());
  support::run_checked({"chmod", "0640", pgpass});
  Client open_file(at_server("scram_u", ""), {.home = home.path()});
  CHECK(open_file.open().code == Errc::password_missing);
  CHECK(open_file.warnings().size() == 1);
  Client environment(at_server("scram_u", ""), {.environment = {{"PGPASSWORD", integration::kPassword}}});
  CHECK(!environment.open().failed());
  Client uri("postgresql://scram_u:se%20cret'%25%5C@127.0.0.1:" + std::to_string(login_server().port()) +
             "/postgres?application_name=a%20b");
  REQUIRE(!uri.open().failed());
  CHECK(uri.value("show application_name") == "a b");
}

TEST_CASE("an authentication failure on the first host is told, not tried elsewhere (C6)") {
  const std::string port = std::to_string(login_server().port());
  Client client("host=127.0.0.1,127.0.0.1 port=" + port + " user=scram_u dbname=postgres password=wrong");
  CHECK(client.info().hosts.size() == 2);
  client.open(0);
  CHECK(client.refused_with("28P01"));
  CHECK(client.failure().text.find("127.0.0.1") != std::string::npos);
}

TEST_CASE("peer over the Unix socket: the operating system's user decides") {
  const std::string base = "host=" + login_server().socket_folder().string() +
                           " port=" + std::to_string(login_server().port()) + " dbname=postgres user=";
  const uid_t own = geteuid();
  const support::Account account = support::Account::unprivileged();
  if (!account.name.empty()) {
    const std::string uid = support::run_checked({"id", "-u", account.name});
    REQUIRE(seteuid(static_cast<uid_t>(std::stoul(uid))) == 0);
  }
  Client peer(base + "peer_u");
  peer.open();
  Client wrong(base + "scram_u");
  wrong.open();
  REQUIRE(seteuid(own) == 0);
  INFO(peer.failure().text);
  CHECK(!peer.failure().failed());
  CHECK(peer.value("select current_user") == "peer_u");
  CHECK(!peer.connection().tls());
  CHECK(wrong.refused_with("28000"));
  if (account.name.empty()) return;
  Client root(base + "peer_u");
  root.open();
  CHECK(root.refused_with("28000"));
}

TEST_CASE("application_name and options reach the server") {
  Client client(at_server("trust_u", "application_name=probe options='-c work_mem=3MB'"));
  REQUIRE(!client.open().failed());
  CHECK(client.value("show application_name") == "probe");
  CHECK(client.value("show work_mem") == "3MB");
}

}  // namespace
