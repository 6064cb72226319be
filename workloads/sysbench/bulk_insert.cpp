// Rows of two integers, gathered in the client and sent as INSERTs of half a megabyte.

#include <fmt/format.h>

#include "workloads/api/insert_batch.hpp"
#include "workloads/sysbench/oltp_workload.hpp"
#include "workloads/sysbench/sysbench.hpp"

namespace workloads::sysbench {

namespace {

struct Gathered : api::SessionState {
  std::int64_t next = 0;  ///< the next row's number
  std::int64_t step = 1;  ///< sessions that share the table take turns
  api::InsertBatch batch;
};

class BulkInsert final : public OltpWorkload {
 public:
  explicit BulkInsert(const api::OptionValues& values) : OltpWorkload(values, "bulk_insert") {}

  std::vector<api::TableSpec> tables() const override {
    std::vector<api::TableSpec> list;
    for (std::int64_t number = 1; number <= options().tables; ++number) {
      api::TableSpec& table = list.emplace_back();
      table.name = table_name(options(), number);
      table.key = "id";
      table.columns = {{"id", api::ColumnSpec::Kind::integer}, {"k", api::ColumnSpec::Kind::integer}};
      const bool rw = dialect() == api::Dialect::risingwave;
      table.create =
          fmt::format("CREATE TABLE IF NOT EXISTS {} ( {}, PRIMARY KEY (id))", table.name,
                      rw ? "id INTEGER, k INTEGER" : "id INTEGER NOT NULL, k INTEGER DEFAULT '0' NOT NULL");
    }
    return list;
  }

  void adopt(const api::FoundData& found) override {
    rows_before_ = static_cast<std::int64_t>(found.highest_key);
  }
  std::string data_summary() const override {
    return fmt::format("{} {}", options().tables, options().tables == 1 ? "table" : "tables");
  }
  std::string key_summary() const override { return fmt::format("keys from {} on", rows_before_ + 1); }

  std::vector<api::StatementSpec> statements() const override {
    api::StatementSpec insert =
        specification("bulk_insert", for_each_table(options(), "INSERT INTO %t VALUES(1,1),(2,2)"),
                      {1, api::ExpectedRows{}.max});
    insert.sending = api::Sending::written;
    return {insert};
  }

  std::unique_ptr<api::SessionState> new_state(api::Session& session) const override {
    auto state = std::make_unique<Gathered>();
    const std::int64_t tables = options().tables;
    const std::int64_t table = session.number() % tables;
    state->step = (session.sessions() - table + tables - 1) / tables;
    state->next = rows_before_ + 1 + session.number() / tables;
    state->batch.begin(fmt::format("INSERT INTO {} VALUES", table_name(options(), table + 1)));
    return state;
  }

  api::KindId append(api::Session& session) const override {
    Gathered& state = session.state<Gathered>();
    char row[48];
    const auto end = fmt::format_to(row, "({},{})", state.next, state.next);
    const std::string_view text(row, static_cast<std::size_t>(end - row));
    state.next += state.step;
    if (!state.batch.fits(text.size())) finish(session);
    state.batch.add(text);
    return kTransaction;
  }

  void finish(api::Session& session) const override {
    Gathered& state = session.state<Gathered>();
    if (state.batch.empty()) return;
    session.add_query(kInsert, state.batch.text());
    state.batch.clear();
  }

 private:
  static constexpr api::StatementId kInsert = 0;
  std::int64_t rows_before_ = 0;
};

}  // namespace

api::Descriptor bulk_insert() {
  return {.name = "bulk_insert",
          .summary = "rows gathered into INSERTs of 512 KiB (sysbench)",
          .help =
              "A transaction is one row: most add it to the session's batch and send nothing,\n"
              "one in some 40,000 sends the full batch as one INSERT; the rest follows when\n"
              "the session ends. Session t fills table t modulo --tables, with numbers behind\n"
              "those that are there.",
          .options = options_with({}),
          .make = make<BulkInsert>};
}

}  // namespace workloads::sysbench
