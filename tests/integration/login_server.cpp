#include "tests/integration/login_server.hpp"

#include <string>

#include "tests/support/run_process.hpp"

namespace integration {
namespace {

constexpr const char* kHba = R"(
local   all peer_u                    peer map=os
local   all all                       peer
hostnossl all tls_only all            reject
host    all trust_u,tls_only all      trust
host    all plain_u        all        password
host    all md5_u          all        md5
hostssl all alice          all        cert
hostssl all mapped         all        cert map=certificates
hostssl all bob            all        scram-sha-256 clientcert=verify-ca
host    all scram_u,"odd_1","odd_2","odd_3","odd_4" all scram-sha-256
)";

std::string ident() {
  support::Account account = support::Account::unprivileged();
  std::string name = account.name;
  if (name.empty()) {
    name = support::run_checked({"id", "-un"});
    name.pop_back();
  }
  return "certificates alice mapped\nos " + name + " peer_u\n";
}

}  // namespace

support::PostgresServer& login_server() {
  static support::PostgresServer server({.hba = kHba, .ident = ident(), .tls = true});
  static const bool filled = [] {
    const std::string password = "'se cret''%\\'";
    server.sql(
        "create role trust_u login; create role tls_only login; create role alice login; create role mapped "
        "login;"
        "create role peer_u login;"
        "create role scram_u login password " +
        password + "; create role bob login password " + password + "; create role plain_u login password " +
        password +
        // U+00AA and U+2168 (ligature-like, NFKC), a soft hyphen, a no-break space; prohibited: a control
        // character; bidirectional: a right-to-left letter followed by a Latin one.
        "; create role odd_1 login password U&'\\00AA\\2168x'; create role odd_2 login password "
        "U&'a\\00ADb\\00A0c'"
        "; create role odd_3 login password U&'a\\0007b'; create role odd_4 login password U&'\\0627x'");
    server.sql("set password_encryption = 'md5'; create role md5_u login password " + password);
    return true;
  }();
  static_cast<void>(filled);
  return server;
}

}  // namespace integration
