#pragma once

#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "proto_pg/client/poller.hpp"
#include "workloads/api/literal.hpp"
#include "workloads/api/session.hpp"
#include "workloads/api/workload.hpp"

namespace support {

/// A session without a server: what a workload adds to its script, as SQL with literals.
class RecordedSession {
 public:
  explicit RecordedSession(const workloads::api::Workload& workload, std::uint64_t seed = 42,
                           std::uint32_t number = 0, std::uint32_t sessions = 1)
      : workload_(workload),
        catalog_(catalog_of(workload)),
        session_(catalog_, poller_, seed, number, sessions) {
    session_.keep(workload.new_state(session_));
  }

  workloads::api::Session& session() { return session_; }

  /// The statements of one transaction.
  std::vector<std::string> transaction() {
    session_.begin_transaction({});
    workload_.append(session_);
    return queries();
  }
  /// What the session owes at its end.
  std::vector<std::string> finish() {
    session_.begin_transaction({});
    workload_.finish(session_);
    return queries();
  }

 private:
  static workloads::api::StatementCatalog catalog_of(const workloads::api::Workload& workload) {
    workloads::api::StatementCatalog catalog;
    catalog.protocol = workloads::api::Protocol::simple;
    catalog.specs = workload.statements();
    for (const auto& spec : catalog.specs) {
      auto& variants = catalog.variants.emplace_back();
      for (const auto& sql : spec.sql) {
        auto& statement = variants.emplace_back();
        statement.sql = sql;
        workloads::api::cut_at_parameters(statement);
      }
    }
    return catalog;
  }

  /// Query messages: 'Q', length, text, zero byte.
  std::vector<std::string> queries() const {
    std::vector<std::string> list;
    std::string_view bytes = session_.script();
    while (!bytes.empty()) {
      std::size_t length = 0;
      for (std::size_t i = 1; i <= 4; ++i) length = length << 8 | static_cast<unsigned char>(bytes[i]);
      list.emplace_back(bytes.substr(5, length - 5));
      bytes.remove_prefix(1 + length);
    }
    return list;
  }

  const workloads::api::Workload& workload_;
  boost::asio::io_context context_{1};
  proto_pg::client::Poller poller_{context_};
  workloads::api::StatementCatalog catalog_;
  workloads::api::Session session_;
};

}  // namespace support
