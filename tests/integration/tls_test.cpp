// TLS against a real PostgreSQL: cases A8 to A12, C7.

#include <doctest/doctest.h>

#include "tests/integration/client.hpp"
#include "tests/integration/login_server.hpp"
#include "tests/support/run_process.hpp"

namespace {

using integration::Client;
using integration::conninfo;
using integration::login_server;
using proto_pg::client::ConnectInfoError;
using proto_pg::client::OpenFailure;
using proto_pg::wire::Errc;

std::string root(const std::string& name = "ca") {
  return " sslrootcert=" + login_server().tls_file(name + ".crt");
}

/// `host` is checked, 127.0.0.1 is connected to.
std::string as_host(const std::string& host, const std::string& more) {
  return "host=" + host + " hostaddr=127.0.0.1 port=" + std::to_string(login_server().port()) +
         " user=trust_u dbname=postgres " + more;
}

/// Shows another certificate as long as it lives.
struct Shown {
  explicit Shown(const std::string& name) { login_server().use_certificate(name); }
  ~Shown() { login_server().use_certificate("server"); }
};

void refused(const std::string& conninfo, const std::string& reason, const integration::Around& around = {}) {
  Client client(conninfo, around);
  client.open();
  CAPTURE(conninfo);
  INFO(client.failure().text);
  CHECK(client.failure().stage == OpenFailure::Stage::tls);
  CHECK(client.failure().code == Errc::tls_failed);
  CHECK(client.failure().text.find(reason) != std::string::npos);
}

void good(const std::string& conninfo, bool verified, bool host_verified) {
  Client client(conninfo);
  client.open();
  CAPTURE(conninfo);
  INFO(client.failure().text);
  REQUIRE(!client.failure().failed());
  CHECK(client.connection().tls());
  CHECK(client.connection().tls_facts().verified == verified);
  CHECK(client.connection().tls_facts().host_verified == host_verified);
}

TEST_CASE("each sslmode against a server with TLS (A9, A10)") {
  Client off(as_host("localhost", "sslmode=disable"));
  REQUIRE(!off.open().failed());
  CHECK(!off.connection().tls());
  Client allow(as_host("localhost", "sslmode=allow"));
  REQUIRE(!allow.open().failed());
  CHECK(!allow.connection().tls());
  good(as_host("localhost", "sslmode=prefer"), false, false);
  good(as_host("localhost", "sslmode=require"), false, false);
  good(as_host("localhost", "sslmode=require" + root()), true, false);
  good(as_host("localhost", "sslmode=verify-ca" + root()), true, false);
  good(as_host("localhost", "sslmode=verify-full" + root()), true, true);
}

TEST_CASE("allow turns to TLS where plain text is refused; require never the other way (A10)") {
  const std::string port = std::to_string(login_server().port());
  Client allow("host=127.0.0.1 user=tls_only dbname=postgres sslmode=allow port=" + port);
  allow.open();
  INFO(allow.failure().text);
  REQUIRE(!allow.failure().failed());
  CHECK(allow.connection().tls());
  Client plain("host=127.0.0.1 user=tls_only dbname=postgres sslmode=disable port=" + port);
  plain.open();
  CHECK(plain.refused_with("28000"));
}

TEST_CASE("what is in force is known: version and cipher") {
  Client client(as_host("localhost", "sslmode=require ssl_max_protocol_version=TLSv1.2"));
  REQUIRE(!client.open().failed());
  CHECK(client.connection().tls_facts().version == "TLSv1.2");
  Client newest(as_host("localhost", "sslmode=require ssl_min_protocol_version=TLSv1.3"));
  REQUIRE(!newest.open().failed());
  CHECK(newest.connection().tls_facts().version == "TLSv1.3");
  CHECK(newest.connection().tls_facts().cipher.find("TLS_") == 0);
}

TEST_CASE("verify-full checks names and addresses (A8)") {
  good("host=127.0.0.1 user=trust_u dbname=postgres sslmode=verify-full port=" +
           std::to_string(login_server().port()) + root(),
       true, true);
  refused(as_host("other.example", "sslmode=verify-full" + root()), "other.example");
  good(as_host("other.example", "sslmode=verify-ca" + root()), true, false);
  refused(as_host("127.0.0.2", "sslmode=verify-full" + root()), "127.0.0.2");
  {
    const Shown shown("wildcard");
    good(as_host("a.db.example", "sslmode=verify-full" + root()), true, true);
    refused(as_host("a.b.db.example", "sslmode=verify-full" + root()), "a.b.db.example");
    refused(as_host("db.example", "sslmode=verify-full" + root()), "db.example");
  }
  {
    const Shown shown("cnonly");
    good(as_host("localhost", "sslmode=verify-full" + root()), true, true);
    refused(as_host("pg.test", "sslmode=verify-full" + root()), "pg.test");
  }
  const Shown shown("wronghost");  // CN=localhost, but names other hosts: the CN doesn't count
  refused(as_host("localhost", "sslmode=verify-full" + root()), "localhost");
}

TEST_CASE("each attempt checks the name of its own host, not the list's (C7)") {
  const std::string port = std::to_string(login_server().port());
  Client client("host=other.example,localhost hostaddr=127.0.0.1,127.0.0.1 port=" + port +
                " user=trust_u dbname=postgres sslmode=verify-full" + root());
  CHECK(client.open(0).code == Errc::tls_failed);
  CHECK(!client.open(1).failed());
}

TEST_CASE("certificates that must be refused, each with its reason (A11)") {
  for (const std::string mode : {"verify-ca", "verify-full", "require"}) {
    const std::string strict = "sslmode=" + mode + root();
    CAPTURE(mode);
    refused(as_host("localhost", "sslmode=" + mode + root("other_ca")), "certificate");
    {
      const Shown shown("selfsigned");
      refused(as_host("localhost", strict), "self");
    }
    {
      const Shown shown("wrongca");
      refused(as_host("localhost", strict), "issuer");
    }
    {
      const Shown shown("expired");
      refused(as_host("localhost", strict), "expired");
    }
    const Shown shown("future");
    refused(as_host("localhost", strict), "not yet valid");
  }
}

TEST_CASE("a revoked certificate is refused by the list in ~/.postgresql/root.crl (A11)") {
  support::ScratchFolder home;
  const std::string folder = home.path() / ".postgresql";
  support::run_checked({"mkdir", folder});
  support::run_checked({"cp", login_server().tls_file("ca.crl"), folder + "/root.crl"});
  const Shown shown("revoked");
  const integration::Around around{.home = home.path()};
  refused(as_host("localhost", "sslmode=verify-full" + root()), "revoked", around);
  good(as_host("localhost", "sslmode=verify-full" + root()), true, true);  // nobody told this one
}

TEST_CASE(
    "prefer without a root falls back to nothing when the handshake works; a bad root is an error (A10)") {
  CHECK_THROWS_AS(Client(as_host("localhost", "sslmode=verify-full")), ConnectInfoError);
  CHECK_THROWS_AS(Client(as_host("localhost", "sslmode=verify-ca sslrootcert=/nonexistent/root.crt")),
                  ConnectInfoError);
  CHECK_THROWS_AS(Client(as_host("localhost", "sslmode=require sslrootcert=system")), ConnectInfoError);
  refused(as_host("localhost", "sslmode=verify-full sslrootcert=system"), "certificate");
}

TEST_CASE("the key's permissions are judged by libpq's rule (A12)") {
  support::ScratchFolder folder;
  const std::string key = folder.path() / "client.key";
  support::run_checked({"cp", login_server().tls_file("alice.key"), key});
  const std::string line = "host=127.0.0.1 user=alice dbname=postgres sslmode=require port=" +
                           std::to_string(login_server().port()) +
                           " sslcert=" + login_server().tls_file("alice.crt") + " sslkey=" + key;
  for (const std::string mode : {"0644", "0660", "0604", "0666"}) {
    support::run_checked({"chmod", mode, key});
    CAPTURE(mode);
    CHECK_THROWS_AS(Client{line}, ConnectInfoError);
  }
  for (const std::string mode : {"0600", "0400"}) {
    support::run_checked({"chmod", mode, key});
    Client client(line);
    CHECK(!client.open().failed());
  }
  if (support::run_checked({"id", "-u"}) == "0\n") {  // owned by root, readable by the group
    support::run_checked({"chmod", "0640", key});
    Client client(line);
    CHECK(!client.open().failed());
  }
}

}  // namespace
