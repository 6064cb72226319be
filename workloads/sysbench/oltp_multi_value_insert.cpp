// Thousands of rows in as few INSERTs as hold them (YugabyteDB's).

#include <fmt/format.h>

#include <iterator>

#include "workloads/api/insert_batch.hpp"
#include "workloads/sysbench/oltp_workload.hpp"
#include "workloads/sysbench/sysbench.hpp"

namespace workloads::sysbench {

namespace {

struct Writing : api::SessionState {
  api::InsertBatch batch;
  std::string row;
};

class OltpMultiValueInsert final : public OltpWorkload {
 public:
  explicit OltpMultiValueInsert(const api::OptionValues& values)
      : OltpWorkload(values, "oltp_multi_value_insert"), heads_(for_each_table(options(), kHead)) {
    if (!options().auto_inc)
      throw api::OptionError("--auto-inc off: oltp_multi_value_insert leaves the ids to the sequence");
  }
  bool commits_each_statement() const override { return true; }

  std::vector<api::StatementSpec> statements() const override {
    api::StatementSpec insert = specification(
        "insert", for_each_table(options(), std::string(kHead) + "(1, 'c', 'pad'),(2, 'c', 'pad')"),
        {1, api::ExpectedRows{}.max});
    insert.sending = api::Sending::written;
    return {insert};
  }

  std::unique_ptr<api::SessionState> new_state(api::Session&) const override {
    return std::make_unique<Writing>();
  }

  void adopt(const api::FoundData& found) override {
    OltpWorkload::adopt(found);
    heads_ = for_each_table(options(), kHead);
  }

  api::KindId append(api::Session& session) const override {
    Writing& writing = session.state<Writing>();
    writing.batch.begin(heads_[draw_table(session.random())]);
    for (std::int64_t i = 0; i < options().batch_insert_count; ++i) {
      write_row(session.random(), writing.row);
      if (!writing.batch.fits(writing.row.size())) send(session, writing.batch);
      writing.batch.add(writing.row);
    }
    send(session, writing.batch);
    return kTransaction;
  }

 private:
  static constexpr std::string_view kHead = "INSERT INTO %t(k, c, pad) VALUES";
  static constexpr api::StatementId kInsert = 0;

  void write_row(random::Generator& random, std::string& row) const {
    const bool small = options().smaller_row_sizes;
    const RandomText c(small ? kShortC : kTextC, random);
    const RandomText pad(small ? kShortPad : kTextPad, random);
    row.clear();
    fmt::format_to(std::back_inserter(row), "({}, '{}', '{}')", draw_id(random), c.view(), pad.view());
  }

  static void send(api::Session& session, api::InsertBatch& batch) {
    session.add_query(kInsert, batch.text());
    batch.clear();
  }

  std::vector<std::string> heads_;
};

}  // namespace

api::Descriptor oltp_multi_value_insert() {
  return {.name = "oltp_multi_value_insert",
          .summary = "4000 rows in INSERTs of many rows (YugabyteDB)",
          .help =
              "A transaction is --batch-insert-count rows for one table, in INSERTs of at\n"
              "most 512 KiB each: two for the default, each committed by itself. Always a\n"
              "simple query, whatever --protocol says.",
          .options = options_with({"batch-insert-count", "smaller-row-sizes"}),
          .make = make<OltpMultiValueInsert>};
}

}  // namespace workloads::sysbench
