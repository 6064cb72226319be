#include "proto_pg/client/tls_context.hpp"

#include <doctest/doctest.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/run_process.hpp"
#include "tests/support/scratch_folder.hpp"

using namespace proto_pg::client;
namespace fs = std::filesystem;

namespace {

/// The certificates that all tests share, and some files that are no good.
class Certificates {
 public:
  Certificates() {
    support::run_checked({TESTS_SUPPORT_FOLDER "/certificates.sh", scratch_.path().string()});
    support::run_checked(
        {"openssl", "pkey", "-in", path("alice.key"), "-outform", "DER", "-out", path("alice.der")});
    support::run_checked({"openssl", "pkey", "-in", path("alice.key"), "-aes256", "-passout", "pass:secret",
                          "-out", path("encrypted.key")});
    std::ofstream(path("broken.pem")) << "nonsense\n";
    for (const auto* name : {"alice.der", "encrypted.key", "broken.pem"}) {
      fs::permissions(path(name), fs::perms::owner_read | fs::perms::owner_write);
    }
  }

  std::string path(const std::string& name) const { return (scratch_.path() / name).string(); }

  /// A home with these files (from -> name in .postgresql).
  std::string home(const std::vector<std::pair<std::string, std::string>>& files) const {
    const auto home = scratch_.path() / ("home" + std::to_string(++homes_));
    fs::create_directories(home / ".postgresql");
    for (const auto& [from, name] : files) fs::copy_file(path(from), home / ".postgresql" / name);
    return home.string();
  }

 private:
  support::ScratchFolder scratch_;
  mutable int homes_ = 0;
};

const Certificates& certificates() {
  static const Certificates made;
  return made;
}

std::string file(const std::string& name) { return certificates().path(name); }

struct Setting {
  ConnectInfo info;
  Surroundings surroundings;
  std::vector<std::string> warnings;

  explicit Setting(SslMode mode, const std::string& host = "db.test") {
    Host entry;
    entry.host = host;
    info.hosts.push_back(entry);
    info.sslmode = mode;
    surroundings.warn = [this](std::string_view sentence) { warnings.emplace_back(sentence); };
  }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

  TlsContext make() const { return TlsContext(info, surroundings); }
  std::string error() const {
    try {
      const TlsContext context(info, surroundings);
    } catch (const ConnectInfoError& e) {
      return e.what();
    }
    return "";
  }
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

using Context = std::unique_ptr<SSL_CTX, decltype([](SSL_CTX* c) { SSL_CTX_free(c); })>;
using Session = std::unique_ptr<SSL, decltype([](SSL* s) { SSL_free(s); })>;

/// What became of one handshake through memory.
struct Handshake {
  bool done = false;
  long verify_result = X509_V_OK;
  int version = 0;
  std::string client_name;  ///< of the certificate that the server saw
};

Handshake shake_hands(const TlsContext& client_context, const std::string& server_name,
                      int server_version = 0) {
  const Context server_context(SSL_CTX_new(TLS_server_method()));
  SSL_CTX_use_certificate_file(server_context.get(), file(server_name + ".crt").c_str(), SSL_FILETYPE_PEM);
  SSL_CTX_use_PrivateKey_file(server_context.get(), file(server_name + ".key").c_str(), SSL_FILETYPE_PEM);
  SSL_CTX_set_max_proto_version(server_context.get(), server_version);
  SSL_CTX_set_verify(server_context.get(), SSL_VERIFY_PEER, [](int, X509_STORE_CTX*) { return 1; });
  const Session server(SSL_new(server_context.get()));
  const Session client(SSL_new(client_context.native()));
  BIO *left = nullptr, *right = nullptr;
  REQUIRE(BIO_new_bio_pair(&left, 0, &right, 0) == 1);
  SSL_set_bio(client.get(), left, left);
  SSL_set_bio(server.get(), right, right);
  SSL_set_connect_state(client.get());
  SSL_set_accept_state(server.get());
  Handshake result;
  for (int turn = 0; turn < 20 && !result.done; ++turn) {
    const bool ours = SSL_do_handshake(client.get()) == 1;
    const bool theirs = SSL_do_handshake(server.get()) == 1;
    result.done = ours && theirs;
  }
  result.verify_result = SSL_get_verify_result(client.get());
  result.version = SSL_version(client.get());
  if (X509* seen = SSL_get0_peer_certificate(server.get())) {
    char name[64] = "";
    X509_NAME_get_text_by_NID(X509_get_subject_name(seen), NID_commonName, name, sizeof name);
    result.client_name = name;
  }
  ERR_clear_error();
  return result;
}

}  // namespace

TEST_CASE("empty where no connection can use TLS: then nothing is looked at") {
  for (auto setting :
       {std::pair(SslMode::disable, "db.test"), std::pair(SslMode::verify_full, "/run/postgresql"),
        std::pair(SslMode::verify_full, "@abstract")}) {
    Setting s(setting.first, setting.second);
    s.info.sslcert = file("broken.pem");
    const auto context = s.make();
    CHECK(context.native() == nullptr);
    CHECK_FALSE(context.verifies_chain());
  }
  Setting both(SslMode::require, "/run/postgresql");
  Host tcp;
  tcp.host = "/ignored";
  tcp.hostaddr = "127.0.0.1";
  both.info.hosts.push_back(tcp);
  CHECK(both.make().native() != nullptr);
}

TEST_CASE("options that the transport relies on") {
  const Setting s(SslMode::require);
  const auto context = s.make();
  const auto options = SSL_CTX_get_options(context.native());
  CHECK((options & SSL_OP_NO_RENEGOTIATION) != 0);
  CHECK((options & SSL_OP_NO_COMPRESSION) != 0);
  const auto mode = SSL_CTX_get_mode(context.native());
  CHECK((mode & SSL_MODE_ENABLE_PARTIAL_WRITE) != 0);
  CHECK((mode & SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER) != 0);
  CHECK((mode & SSL_MODE_RELEASE_BUFFERS) != 0);
  CHECK(context.sends_sni());
  Setting silent(SslMode::require);
  silent.info.sslsni = false;
  CHECK_FALSE(silent.make().sends_sni());
}

TEST_CASE("protocol versions") {
  Setting s(SslMode::require);
  CHECK(shake_hands(s.make(), "server").version == TLS1_3_VERSION);
  CHECK(shake_hands(s.make(), "server", TLS1_2_VERSION).version == TLS1_2_VERSION);
  CHECK_FALSE(shake_hands(s.make(), "server", TLS1_1_VERSION).done);
  s.info.ssl_max_protocol_version = TlsVersion::tls1_2;
  CHECK(shake_hands(s.make(), "server").version == TLS1_2_VERSION);
  s.info.ssl_max_protocol_version = TlsVersion::any;
  s.info.ssl_min_protocol_version = TlsVersion::tls1_3;
  CHECK_FALSE(shake_hands(s.make(), "server", TLS1_2_VERSION).done);
}

TEST_CASE("without a root, only the modes that do not verify") {
  for (const auto mode : {SslMode::allow, SslMode::prefer, SslMode::require}) {
    Setting s(mode);
    s.surroundings.home = certificates().home({});
    const auto context = s.make();
    CHECK_FALSE(context.verifies_chain());
    CHECK_FALSE(context.verifies_host());
    CHECK(shake_hands(context, "server").done);
    CHECK(s.warnings.empty());
  }
  for (const auto mode : {SslMode::verify_ca, SslMode::verify_full}) {
    Setting s(mode);
    s.surroundings.home = certificates().home({});
    CHECK(contains(s.error(), s.surroundings.home + "/.postgresql/root.crt\" does not exist"));
    CHECK(contains(s.error(), "sslrootcert"));
    s.info.sslrootcert = "/nowhere/ca.crt";
    CHECK(contains(s.error(), "\"/nowhere/ca.crt\" does not exist"));
    s.info.sslrootcert = "";
    s.surroundings.home = "";
    CHECK(contains(s.error(), "~/.postgresql/root.crt"));
  }
}

TEST_CASE("a named root that does not exist is told of") {
  Setting s(SslMode::require);
  s.info.sslrootcert = "/nowhere/ca.crt";
  const auto context = s.make();
  CHECK_FALSE(context.verifies_chain());
  REQUIRE(s.warnings.size() == 1);
  CHECK(contains(s.warnings[0], "/nowhere/ca.crt"));
}

TEST_CASE("with a root the chain is verified, in every mode") {
  for (const auto mode : {SslMode::prefer, SslMode::require, SslMode::verify_ca, SslMode::verify_full}) {
    Setting named(mode);
    named.info.sslrootcert = file("ca.crt");
    Setting found(mode);
    found.surroundings.home = certificates().home({{"ca.crt", "root.crt"}});
    for (const auto* s : {&named, &found}) {
      const auto context = s->make();
      CHECK(context.verifies_chain());
      CHECK(context.verifies_host() == (mode == SslMode::verify_full));
      CHECK(shake_hands(context, "server").done);
      const auto strange = shake_hands(context, "wrongca");
      CHECK_FALSE(strange.done);
      CHECK(strange.verify_result == X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY);
    }
  }
}

TEST_CASE("the named root, not the one at home") {
  Setting s(SslMode::verify_ca);
  s.surroundings.home = certificates().home({{"ca.crt", "root.crt"}});
  s.info.sslrootcert = file("other_ca.crt");
  CHECK_FALSE(shake_hands(s.make(), "server").done);
}

TEST_CASE("a broken root file") {
  Setting s(SslMode::require);
  s.info.sslrootcert = file("broken.pem");
  CHECK(contains(s.error(), "broken.pem\" cannot be loaded: "));
}

TEST_CASE("the system's roots") {
  Setting s(SslMode::verify_full);
  s.info.sslrootcert = "system";
  const auto context = s.make();
  CHECK(context.verifies_host());
  CHECK_FALSE(shake_hands(context, "server").done);
  for (const auto mode : {SslMode::prefer, SslMode::require, SslMode::verify_ca}) {
    s.info.sslmode = mode;
    CHECK(contains(s.error(), "sslrootcert=system needs sslmode=verify-full"));
  }
}

TEST_CASE("revoked certificates") {
  Setting s(SslMode::verify_ca);
  s.surroundings.home = certificates().home({{"ca.crt", "root.crt"}});
  CHECK(shake_hands(s.make(), "revoked").done);
  s.surroundings.home = certificates().home({{"ca.crt", "root.crt"}, {"ca.crl", "root.crl"}});
  CHECK(shake_hands(s.make(), "server").done);
  const auto refused = shake_hands(s.make(), "revoked");
  CHECK_FALSE(refused.done);
  CHECK(refused.verify_result == X509_V_ERR_CERT_REVOKED);
  s.surroundings.home = certificates().home({{"ca.crt", "root.crt"}, {"broken.pem", "root.crl"}});
  CHECK(contains(s.error(), "root.crl\" cannot be loaded: "));
}

TEST_CASE("the client's certificate reaches the server") {
  Setting named(SslMode::require);
  named.info.sslcert = file("alice.crt");
  named.info.sslkey = file("alice.key");
  CHECK(shake_hands(named.make(), "server").client_name == "alice");
  named.info.sslkey = file("alice.der");
  CHECK(shake_hands(named.make(), "server").client_name == "alice");
  Setting found(SslMode::require);
  found.surroundings.home =
      certificates().home({{"alice.crt", "postgresql.crt"}, {"alice.key", "postgresql.key"}});
  CHECK(shake_hands(found.make(), "server").client_name == "alice");
  const Setting none(SslMode::require);
  CHECK(shake_hands(none.make(), "server").client_name.empty());
}

TEST_CASE("a named certificate that does not exist is told of") {
  Setting s(SslMode::require);
  s.info.sslcert = "/nowhere/alice.crt";
  CHECK(s.error().empty());
  REQUIRE(s.warnings.size() == 1);
  CHECK(contains(s.warnings[0], "/nowhere/alice.crt"));
}

TEST_CASE("certificates and keys that cannot be used") {
  Setting s(SslMode::require);
  s.info.sslcert = file("broken.pem");
  CHECK(contains(s.error(), "certificate file \"" + file("broken.pem") + "\" cannot be loaded: "));
  s.info.sslcert = file("alice.crt");
  CHECK(contains(s.error(), "needs its private key: name it with sslkey"));
  s.surroundings.home = certificates().home({});
  CHECK(contains(s.error(), "postgresql.key\" does not exist, but certificate \"" + file("alice.crt")));
  s.info.sslkey = file("server.key");
  CHECK(contains(s.error(), "server.key\" does not match certificate \"" + file("alice.crt")));
  s.info.sslkey = file("broken.pem");
  CHECK(contains(s.error(), "broken.pem\" cannot be loaded: "));
  s.info.sslkey = file("encrypted.key");
  CHECK(contains(s.error(), "encrypted.key\" is encrypted"));
  s.info.sslkey = fs::temp_directory_path().string();
  CHECK(contains(s.error(), "is not a regular file"));
  REQUIRE(::mkfifo(file("fifo").c_str(), 0600) == 0);
  s.info.sslkey = file("fifo");
  CHECK(contains(s.error(), "is not a regular file"));
}

TEST_CASE("who may read the key") {
  const auto key = file("mode.key");
  fs::copy_file(file("alice.key"), key);
  Setting s(SslMode::require);
  s.info.sslcert = file("alice.crt");
  s.info.sslkey = key;
  const auto error_with = [&](mode_t mode) {
    REQUIRE(::chmod(key.c_str(), mode) == 0);
    return s.error();
  };
  CHECK(error_with(0600).empty());
  CHECK(error_with(0400).empty());
  for (const mode_t mode : {0604, 0644, 0660, 0610, 0602, 0601, 0777}) {
    CAPTURE(mode);
    CHECK(contains(error_with(mode), "chmod 0600"));
  }
  CHECK(contains(error_with(0644), "mode.key\" has mode 0644"));
  if (::geteuid() != 0) {
    CHECK(contains(error_with(0640), "has mode 0640"));
    return;
  }
  CHECK(error_with(0640).empty());  // root's file
  REQUIRE(::chown(key.c_str(), 65534, 65534) == 0);
  CHECK(contains(error_with(0640), "has mode 0640"));
  CHECK(error_with(0600).empty());
}
