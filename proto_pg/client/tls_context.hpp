#pragma once

#include <memory>
#include <string>

#include "proto_pg/client/connect_info.hpp"

struct ssl_ctx_st;

namespace proto_pg::client {

/// Certificates, verification and protocol versions of one run, loaded once. Verification is OpenSSL's own
/// (chain, host name, address). Empty with sslmode=disable or for Unix sockets only.
///
/// libpq's rules: a root file that exists makes every sslmode check the chain (`require` then is
/// `verify-ca`); files that are named but do not exist count as not given, with a warning here;
/// ~/.postgresql/root.crl is honoured.
class TlsContext {
 public:
  /// Throws ConnectInfoError naming the file and what is wrong with it: unreadable or malformed certificate,
  /// a key that others can read (libpq's rule: 0600, or 0640 if owned by root), a missing root for verify-ca
  /// and verify-full, sslrootcert=system with a mode weaker than verify-full.
  explicit TlsContext(const ConnectInfo& info, const Surroundings& surroundings);
  ~TlsContext();
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

  /// Null if no connection of this run can use TLS.
  ssl_ctx_st* native() const { return context_.get(); }
  bool verifies_chain() const { return verifies_chain_; }
  bool verifies_host() const { return verifies_host_; }
  bool sends_sni() const { return sends_sni_; }

 private:
  void load_roots(const ConnectInfo& info, const Surroundings& surroundings);
  void load_certificate(const ConnectInfo& info, const Surroundings& surroundings);

  struct Deleter {
    void operator()(ssl_ctx_st* context) const;
  };
  std::unique_ptr<ssl_ctx_st, Deleter> context_;
  bool verifies_chain_ = false;
  bool verifies_host_ = false;
  bool sends_sni_ = true;
};

}  // namespace proto_pg::client
