#include "proto_pg/client/conninfo_keywords.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace proto_pg::client {
namespace {

using enum Keyword::Kind;

constexpr auto kKeywords = std::to_array<Keyword>({
    {"host", "PGHOST", supported},
    {"hostaddr", "PGHOSTADDR", supported},
    {"port", "PGPORT", supported},
    {"dbname", "PGDATABASE", supported},
    {"user", "PGUSER", supported},
    {"password", "PGPASSWORD", secret},
    {"passfile", "PGPASSFILE", supported},
    {"connect_timeout", "PGCONNECT_TIMEOUT", supported},
    {"application_name", "PGAPPNAME", supported},
    {"fallback_application_name", "", supported},
    {"options", "PGOPTIONS", supported},
    {"client_encoding", "PGCLIENTENCODING", supported},
    {"keepalives", "", supported},
    {"keepalives_idle", "", supported},
    {"keepalives_interval", "", supported},
    {"keepalives_count", "", supported},
    {"tcp_user_timeout", "", supported},
    {"channel_binding", "PGCHANNELBINDING", supported},
    {"sslmode", "PGSSLMODE", supported},
    {"sslrootcert", "PGSSLROOTCERT", supported},
    {"sslcert", "PGSSLCERT", supported},
    {"sslkey", "PGSSLKEY", supported},
    {"sslsni", "PGSSLSNI", supported},
    {"ssl_min_protocol_version", "PGSSLMINPROTOCOLVERSION", supported},
    {"ssl_max_protocol_version", "PGSSLMAXPROTOCOLVERSION", supported},

    {"service", "PGSERVICE", unsupported},
    {"servicefile", "", unsupported},
    {"sslnegotiation", "PGSSLNEGOTIATION", unsupported, "postgres"},
    {"sslcompression", "PGSSLCOMPRESSION", unsupported, "|0"},
    {"sslcertmode", "PGSSLCERTMODE", unsupported, "allow"},
    {"sslpassword", "", unsupported_secret},
    {"sslcrl", "PGSSLCRL", unsupported},
    {"sslcrldir", "PGSSLCRLDIR", unsupported},
    {"sslkeylogfile", "", unsupported},
    {"require_auth", "PGREQUIREAUTH", unsupported},
    {"requirepeer", "PGREQUIREPEER", unsupported},
    {"gssencmode", "PGGSSENCMODE", unsupported, "disable|prefer"},
    {"gssdelegation", "PGGSSDELEGATION", unsupported, "|0"},
    {"gsslib", "PGGSSLIB", unsupported},
    {"krbsrvname", "PGKRBSRVNAME", unsupported, "|postgres"},
    {"replication", "", unsupported, "|false|off|no|0"},
    {"target_session_attrs", "PGTARGETSESSIONATTRS", unsupported, "any"},
    {"load_balance_hosts", "PGLOADBALANCEHOSTS", unsupported, "disable"},
    {"min_protocol_version", "PGMINPROTOCOLVERSION", unsupported, "|3.0"},
    {"max_protocol_version", "PGMAXPROTOCOLVERSION", unsupported,
     "|3.0|3.2|latest"},  // 3.0 is in all of them
    {"scram_client_key", "", unsupported_secret},
    {"scram_server_key", "", unsupported_secret},
    {"oauth_issuer", "", unsupported},
    {"oauth_client_id", "", unsupported},
    {"oauth_client_secret", "", unsupported_secret},
    {"oauth_scope", "", unsupported},
});

/// Levenshtein's distance: insertions, deletions and replacements of one byte.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

bool Keyword::harmless_value(std::string_view value) const {
  for (std::string_view rest = harmless;;) {
    const auto end = rest.find('|');
    if (rest.substr(0, end) == value) return true;
    if (end == std::string_view::npos) return false;
    rest.remove_prefix(end + 1);
  }
}

std::span<const Keyword> keywords() { return kKeywords; }

const Keyword* find_keyword(std::string_view name) {
  const auto found = std::ranges::find(kKeywords, name, &Keyword::name);
  return found == kKeywords.end() ? nullptr : &*found;
}

std::string_view nearest_keyword(std::string_view name) {
  constexpr std::size_t kLongest = 64;  // beyond every keyword: nothing is near, and no work is done for it
  if (name.empty() || name.size() > kLongest) return {};
  std::string_view nearest;
  std::size_t least = name.size() / 3 + 2;  // a third may be wrong, and a little more in short ones
  for (const auto& keyword : kKeywords) {
    if (const auto distance = edit_distance(name, keyword.name); distance < least) {
      least = distance;
      nearest = keyword.name;
    }
  }
  return nearest;
}

}  // namespace proto_pg::client
