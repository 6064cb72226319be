#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "workloads/api/session.hpp"
#include "workloads/api/workload.hpp"
#include "workloads/random/distribution.hpp"
#include "workloads/sysbench/oltp_tables.hpp"
#include "workloads/sysbench/options.hpp"
#include "workloads/sysbench/statements.hpp"

namespace workloads::sysbench {

/// What the workloads of the family share: tables, keys, and the groups of statements that their transactions
/// are made of. A group draws its table once, also if it has no statement; then each statement its id.
class OltpWorkload : public api::Workload {
 public:
  OltpWorkload(const api::OptionValues& values, std::string kind);

  void speak(api::Dialect dialect) override;
  std::vector<api::TableSpec> tables() const override;
  std::optional<api::TableFamily> family() const override;
  void adopt(const api::FoundData& found) override;
  std::map<std::string, std::string> adopted() const override;
  std::string data_summary() const override;
  std::string key_summary() const override;
  std::vector<api::StatementSpec> statements() const override;
  std::vector<std::string> kinds() const override { return {kind_}; }
  /// Sysbench's: also a unique violation, which rows that are deleted and inserted anew bring about.
  bool retryable(proto_pg::wire::SqlState sqlstate) const override;
  std::uint64_t reconnect_every() const override { return static_cast<std::uint64_t>(options_.reconnect); }

 protected:
  static constexpr api::KindId kTransaction = 0;

  const Options& options() const { return options_; }
  api::Dialect dialect() const { return dialect_; }

  /// In the constructor: the shared statements that the workload prepares, in the order of its reports.
  void declare(std::initializer_list<Sql> list);
  void declare_reads();

  /// --- groups ---
  void begin(api::Session& session) const;
  void commit(api::Session& session) const;
  /// Point reads, then the four kinds of range reads.
  void reads(api::Session& session) const;
  void point_selects(api::Session& session, std::int64_t count) const;
  void ranges(api::Session& session, Sql which, std::int64_t count) const;
  void index_updates(api::Session& session) const;
  void non_index_updates(api::Session& session) const;
  void delete_inserts(api::Session& session) const;

  /// --- parts ---
  api::StatementId id_of(Sql sql) const { return ids_[static_cast<std::size_t>(sql)]; }
  /// Index of a table among the variants of a statement.
  std::size_t draw_table(random::Generator& random) const {
    return static_cast<std::size_t>(random.between(1, options_.tables)) - 1;
  }
  std::int64_t draw_id(random::Generator& random) const { return keys_.draw(random); }
  /// `id` + `more`, and no more than what the columns can hold.
  std::int64_t plus(std::int64_t id, std::int64_t more) const;

 private:
  Options options_;
  std::string kind_;
  api::Dialect dialect_ = api::Dialect::postgres;
  std::vector<Sql> declared_;
  std::array<api::StatementId, kSqlCount> ids_{};
  random::Distribution keys_;
  bool found_ = false;
};

/// For Descriptor::make.
template <class Workload>
std::unique_ptr<api::Workload> make(const api::OptionValues& values) {
  return std::make_unique<Workload>(values);
}

}  // namespace workloads::sysbench
