#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <optional>

#include "workloads/api/session.hpp"
#include "workloads/api/workload.hpp"
#include "workloads/ycsb/options.hpp"

namespace workloads::ycsb {

/// YCSB's CoreWorkload on the table of its JDBC binding (Cooper et al.: "Benchmarking Cloud Serving Systems
/// with YCSB", 2010). A transaction is one operation, drawn by its share; a READ-MODIFY-WRITE is a read and
/// an update of one key, two commits unless they are put into a transaction.
class CoreWorkload final : public api::Workload {
 public:
  explicit CoreWorkload(const api::OptionValues& values);

  void speak(api::Dialect dialect) override { dialect_ = dialect; }
  std::vector<api::TableSpec> tables() const override;
  void adopt(const api::FoundData& found) override;
  std::map<std::string, std::string> adopted() const override;
  std::string data_summary() const override;
  std::string key_summary() const override;
  std::vector<api::StatementSpec> statements() const override;
  std::vector<std::string> kinds() const override;
  std::unique_ptr<api::SessionState> new_state(api::Session& session) const override;

  api::KindId append(api::Session& session) const override;
  /// An insert's answer decides whether its key may be read.
  bool in_batches() const override { return options_.mix.insert == 0; }
  boost::asio::awaitable<api::KindId> transaction(api::Session& session) const override;
  bool commits_each_statement() const override { return !options_.update_in_transaction; }

 private:
  enum class Operation : std::uint8_t { read, update, insert, scan, read_modify_write };
  enum class Statement : std::uint8_t { read, update, insert, scan, begin, commit };
  struct Share {
    Operation operation;
    double weight;
  };

  /// What all sessions share.
  struct Keys {
    explicit Keys(const KeyRange& range, std::uint64_t next) : inserts(next), chooser(range, inserts) {}
    InsertCounter inserts;
    KeyChooser chooser;
  };

  Operation draw_operation(random::Generator& random) const;
  void read(api::Session& session, std::string_view key) const;
  void update(api::Session& session, std::string_view key) const;
  void insert(api::Session& session) const;
  void scan(api::Session& session, std::string_view key) const;
  void read_modify_write(api::Session& session, std::string_view key) const;
  void declare(Statement statement, bool needed);
  api::StatementId id_of(Statement statement) const { return ids_[static_cast<std::size_t>(statement)]; }
  std::vector<std::string> texts_of(Statement statement) const;
  std::vector<std::string> update_texts() const;
  std::string insert_text() const;
  std::string create_text() const;

  Options options_;
  api::Dialect dialect_ = api::Dialect::postgres;
  std::vector<Share> shares_;        ///< in YCSB's order, none of weight 0; the kinds
  std::vector<Statement> declared_;  ///< those that the shares need
  std::array<api::StatementId, 6> ids_{};
  double weights_ = 0;              ///< their sum
  std::vector<std::string> names_;  ///< of the fields, in YCSB's order
  FieldLength field_length_;
  FieldLength scan_length_;
  bool found_ = false;
  std::uint64_t highest_found_ = 0;  ///< rows that are surely there
  /// Made with the first session: then it is known how many records there are, and the sums that a
  /// distribution needs can take seconds.
  mutable std::once_flag once_;
  mutable std::unique_ptr<Keys> keys_;
};

}  // namespace workloads::ycsb
