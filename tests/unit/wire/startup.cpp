#include "proto_pg/wire/startup.hpp"

#include <doctest/doctest.h>

#include <string>

#include "tests/unit/wire/scram_server.hpp"
#include "tests/unit/wire/startup_client.hpp"

using namespace proto_pg::wire;
using namespace proto_pg::wire::test;
using Client = StartupClient;

namespace {

/// The whole exchange by a server that knows the password; the last wish.
Wish scram(Client& client, const std::string& mechanisms, const std::string& gs2,
           const std::string& binding) {
  ScramServer server(kSecret, "salt", 7, gs2, binding, "abc", kServerFirst);
  Wish wish = client.authentication(10, mechanisms);
  if (wish != Wish::read) return wish;
  wish = client.authentication(11, kServerFirst);
  if (wish != Wish::derive_keys) return wish;
  wish = client.keys(derive_scram_keys(client.machine.prepared_password(), client.machine.salt(),
                                       client.machine.iterations()));
  if (wish != Wish::read) return wish;
  CHECK(client.sent() == message('p', server.client_final()));
  wish = client.authentication(12, server.server_final());
  if (wish != Wish::read) return wish;
  return client.authentication(0);
}

}  // namespace

TEST_CASE("StartupMessage: what is set, in this order") {
  SendBuffer out;
  auto settings = settings_with(std::nullopt);
  StartupMachine(settings).start(out);
  CHECK(out.view() ==
        i32(4 + 4 + 25 + 1) + i32(196608) + z("user") + z("alice") + z("database") + z("shop") + z(""));
  out.clear();
  settings.application_name = "pgload";
  settings.options = "-c geqo=off";
  StartupMachine(settings).start(out);
  CHECK(out.view().ends_with(z("application_name") + z("pgload") + z("options") + z("-c geqo=off") + z("")));
}

TEST_CASE("trust, and what follows") {
  Client client(settings_with(std::nullopt));
  CHECK_FALSE(client.machine.authenticated());
  CHECK(client.authentication(0) == Wish::read);
  CHECK(client.machine.authenticated());
  CHECK(client.machine.method() == "trust");
  CHECK(client.feed('S', z("server_version") + z("15.20")) == Wish::read);
  CHECK(client.feed('S', z("TimeZone") + z("UTC")) == Wish::read);
  CHECK(client.feed('N', "Mwelcome") == Wish::read);
  CHECK(client.feed('S', z("server_version") + z("15.21")) == Wish::read);
  CHECK(client.feed('K', i32(4711) + "key!") == Wish::read);
  CHECK(client.feed('Z', "I") == Wish::done);
  CHECK(client.sent().empty());
  CHECK(client.machine.process_id() == 4711);
  CHECK(client.machine.secret_key() == "key!");
  REQUIRE(client.machine.parameters().size() == 2);
  CHECK(client.machine.parameters()[0] == std::pair<std::string, std::string>("server_version", "15.21"));
  CHECK(client.machine.parameters()[1] == std::pair<std::string, std::string>("TimeZone", "UTC"));
  CHECK_FALSE(client.machine.error());
}

TEST_CASE("notices and protocol negotiation are accepted before and after AuthenticationOk") {
  Client client(settings_with(std::nullopt));
  const auto negotiate = i32(0) + i32(1) + z("_pq_.something");
  CHECK(client.feed('v', negotiate) == Wish::read);
  CHECK(client.feed('N', z("Mhello") + z("")) == Wish::read);
  CHECK(client.authentication(0) == Wish::read);
  CHECK(client.feed('v', negotiate) == Wish::read);
  CHECK(client.feed('Z', "I") == Wish::done);
}

TEST_CASE("password in clear text") {
  Client client(settings_with(kSecret));
  CHECK(client.authentication(3) == Wish::read);
  CHECK(client.sent() == message('p', z(kSecret)));
  CHECK(client.machine.method() == "password");
  CHECK(client.authentication(0) == Wish::read);
}

TEST_CASE("md5") {
  Client client(settings_with(kSecret));
  CHECK(client.authentication(5, "salt") == Wish::read);
  // Python: "md5" + md5((md5("s3cret-wordalice").hexdigest() + "salt")).hexdigest()
  CHECK(client.sent() == message('p', z("md58332f74ba3e0027dcb2d7150c6e34980")));
  CHECK(client.machine.method() == "md5");
  CHECK(client.authentication(0) == Wish::read);
}

TEST_CASE("an empty password is one; none is an error that says what to do") {
  for (const auto& [code, rest] : {std::pair(3, std::string()), {5, "salt"}, {10, kPlain}}) {
    Client empty(settings_with(""));
    CHECK(empty.authentication(code, rest) == Wish::read);
    Client none(settings_with(std::nullopt));
    CHECK(none.authentication(code, rest) == Wish::failed);
    CHECK(none.machine.error() == Errc::password_missing);
    CHECK(none.says("PGPASSWORD"));
    CHECK(none.says(none.machine.method()));
    CHECK(none.sent().empty());
  }
}

TEST_CASE("SCRAM: which mechanism and which channel binding header") {
  const auto binding = encrypted(ChannelBinding::prefer).certificate_hash;
  const std::string plus = "p=tls-server-end-point,,";
  SUBCASE("without TLS") {
    Client client(settings_with(kSecret));
    CHECK(scram(client, kPlain, "n,,", "") == Wish::read);
    CHECK(client.machine.method() == "scram-sha-256");
    CHECK(client.machine.authenticated());
  }
  SUBCASE("TLS, bound") {
    for (const auto wish : {ChannelBinding::prefer, ChannelBinding::require}) {
      Client client(encrypted(wish));
      CHECK(scram(client, kBoth, plus, binding) == Wish::read);
      CHECK(client.machine.method() == "scram-sha-256-plus");
    }
  }
  SUBCASE("TLS, the server lacks it") {
    Client client(encrypted(ChannelBinding::prefer));
    CHECK(scram(client, kPlain, "y,,", "") == Wish::read);
    CHECK(client.machine.method() == "scram-sha-256");
  }
  SUBCASE("TLS, switched off") {
    for (const auto& offer : {kPlain, kBoth}) {
      Client client(encrypted(ChannelBinding::disable));
      CHECK(scram(client, offer, "n,,", "") == Wish::read);
    }
  }
  SUBCASE("TLS, a certificate without a known hash") {
    auto settings = encrypted(ChannelBinding::prefer);
    settings.certificate_hash.clear();
    Client client(settings);
    CHECK(scram(client, kBoth, "n,,", "") == Wish::read);
  }
}

TEST_CASE("SASLInitialResponse, byte for byte") {
  Client client(encrypted(ChannelBinding::prefer));
  CHECK(client.authentication(10, kBoth) == Wish::read);
  const std::string first = "p=tls-server-end-point,,n=,r=abc";
  CHECK(client.sent() == message('p', z("SCRAM-SHA-256-PLUS") + i32(32) + first));
}

TEST_CASE("the password is prepared for SCRAM, and only for it") {
  Client client(settings_with("\u2168"));
  (void)client.authentication(10, kPlain);
  CHECK(client.authentication(11, kServerFirst) == Wish::derive_keys);
  CHECK(client.machine.prepared_password() == "IX");
  CHECK(client.machine.salt() == "salt");
  CHECK(client.machine.iterations() == 7);
  Client cleartext(settings_with("\u2168"));
  (void)cleartext.authentication(3);
  CHECK(cleartext.sent() == message('p', z("\u2168")));
}

TEST_CASE("channel_binding=require: every way in which it cannot be met") {
  const auto refused = [](const StartupSettings& settings, std::int32_t code, const std::string& rest) {
    Client client(settings);
    const auto wish = client.authentication(code, rest);
    CHECK(wish == Wish::failed);
    CHECK(client.machine.error() == Errc::channel_binding_missing);
    CHECK(client.sent().empty());
    return client.machine.error_text();
  };
  const auto with = [](const std::string& text, std::string_view part) {
    return text.find(part) != text.npos;
  };
  auto settings = encrypted(ChannelBinding::require);
  CHECK(with(refused(settings, 0, ""), "let us in without it"));
  CHECK(with(refused(settings, 3, ""), "method password"));
  CHECK(with(refused(settings, 5, "salt"), "method md5"));
  CHECK(with(refused(settings, 7, ""), "GSSAPI"));
  CHECK(with(refused(settings, 10, kPlain), "offers only SCRAM-SHA-256"));
  settings.certificate_hash.clear();
  CHECK(with(refused(settings, 10, kBoth), "certificate"));
  settings.tls = false;
  CHECK(with(refused(settings, 10, kPlain), "not encrypted"));
  CHECK(with(refused(settings, 10, kBoth), "not encrypted"));
}

TEST_CASE("PLUS without TLS: somebody removed the encryption") {
  Client client(settings_with(kSecret));
  CHECK(client.authentication(10, kBoth) == Wish::failed);
  CHECK(client.machine.error() == Errc::protocol_violation);
}

TEST_CASE("no mechanism that we know") {
  Client client(settings_with(kSecret));
  CHECK(client.authentication(10, z("OAUTHBEARER") + z("SCRAM-SHA-512") + z("")) == Wish::failed);
  CHECK(client.machine.error() == Errc::unsupported_authentication);
  CHECK(client.says("OAUTHBEARER, SCRAM-SHA-512"));
  Client none(settings_with(kSecret));
  CHECK(none.authentication(10, z("")) == Wish::failed);
  CHECK(none.machine.error() == Errc::unsupported_authentication);
  Client off(encrypted(ChannelBinding::disable));
  CHECK(off.authentication(10, z("SCRAM-SHA-256-PLUS") + z("")) == Wish::failed);
  CHECK(off.says("channel_binding"));
}

TEST_CASE("a server that proves nothing is not let through") {
  const auto begin = [](Client& client, int steps) {
    CHECK(client.authentication(10, kPlain) == Wish::read);
    if (steps > 1) CHECK(client.authentication(11, kServerFirst) == Wish::derive_keys);
    if (steps > 2) CHECK(client.keys({}) == Wish::read);
  };
  for (int steps = 1; steps <= 3; ++steps) {
    Client client(settings_with(kSecret));
    begin(client, steps);
    CHECK(client.authentication(0) == Wish::failed);
    CHECK(client.machine.error() == Errc::server_not_authentic);
    CHECK_FALSE(client.machine.authenticated());
  }
  Client wrong(settings_with(kSecret));
  begin(wrong, 3);
  CHECK(wrong.authentication(12, "v=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=") == Wish::failed);
  CHECK(wrong.machine.error() == Errc::server_not_authentic);
  Client malformed(settings_with(kSecret));
  begin(malformed, 3);
  CHECK(malformed.authentication(12, "v=") == Wish::failed);
  CHECK(malformed.machine.error() == Errc::protocol_violation);
  Client refused(settings_with(kSecret));
  begin(refused, 3);
  CHECK(refused.authentication(12, "e=invalid-proof") == Wish::failed);
  CHECK(refused.machine.error() == Errc::refused_by_server);
  CHECK(refused.machine.server_error().message == "invalid-proof");
  Client nonce(settings_with(kSecret));
  (void)nonce.authentication(10, kPlain);
  CHECK(nonce.authentication(11, "r=xyz,s=c2FsdA==,i=7") == Wish::failed);
  CHECK(nonce.machine.error() == Errc::server_not_authentic);
  Client slow(settings_with(kSecret));
  (void)slow.authentication(10, kPlain);
  CHECK(slow.authentication(11, "r=abcdef,s=c2FsdA==,i=10000000") == Wish::failed);
  CHECK(slow.machine.error() == Errc::protocol_violation);
  CHECK(slow.says("iterations"));
}

TEST_CASE("methods that are not supported are named") {
  const std::pair<int, std::string> methods[] = {
      {1, "Kerberos V4"},     {2, "Kerberos V5"},   {4, "crypt"},    {6, "SCM"},
      {7, "GSSAPI (code 7)"}, {9, "SSPI (code 9)"}, {99, "code 99"}, {-1, "code 4294967295"}};
  for (const auto& [code, name] : methods) {
    Client client(settings_with(kSecret));
    CHECK(client.authentication(code) == Wish::failed);
    CHECK(client.machine.error() == Errc::unsupported_authentication);
    CHECK(client.says(name));
  }
}

TEST_CASE("SCRAM: without random bytes for a nonce there is no login; other methods need none") {
  auto settings = settings_with(kSecret);
  settings.scram_nonce.clear();
  Client client(settings);
  CHECK(client.authentication(10, kPlain) == Wish::failed);
  CHECK(client.machine.error() == Errc::no_random_bytes);
  CHECK(client.says("/dev/urandom"));
  CHECK(client.sent().empty());
  Client clear(settings);
  CHECK(clear.authentication(3) == Wish::read);
}
