// Ten inserts into one table, in a transaction (YugabyteDB's).

#include "workloads/sysbench/oltp_workload.hpp"
#include "workloads/sysbench/sysbench.hpp"
#include "workloads/sysbench/unique_ids.hpp"

namespace workloads::sysbench {

namespace {

class OltpMultiInsert final : public OltpWorkload {
 public:
  explicit OltpMultiInsert(const api::OptionValues& values) : OltpWorkload(values, "oltp_multi_insert") {
    declare({Sql::insert_row, Sql::begin, Sql::commit});
  }

  std::vector<api::StatementSpec> statements() const override {
    auto list = OltpWorkload::statements();
    if (options().auto_inc)
      list[id_of(Sql::insert_row)] = specification(Sql::insert_without_id, options(), false);
    return list;
  }

  std::unique_ptr<api::SessionState> new_state(api::Session& session) const override {
    return std::make_unique<UniqueIds>(session);
  }

  api::KindId append(api::Session& session) const override {
    begin(session);
    const std::size_t table = draw_table(session.random());
    for (std::int64_t i = 0; i < options().num_rows_in_insert; ++i) insert(session, table);
    commit(session);
    return kTransaction;
  }

 private:
  void insert(api::Session& session, std::size_t table) const {
    const std::int64_t k = draw_id(session.random());
    const RandomText c(kTextC, session.random());
    const RandomText pad(kTextPad, session.random());
    if (options().auto_inc) {
      session.add(id_of(Sql::insert_row), table, k, c.view(), pad.view());
    } else {
      session.add(id_of(Sql::insert_row), table, session.state<UniqueIds>().next(), k, c.view(), pad.view());
    }
  }
};

}  // namespace

api::Descriptor oltp_multi_insert() {
  return {.name = "oltp_multi_insert",
          .summary = "10 inserts in a transaction (YugabyteDB)",
          .help =
              "A transaction is BEGIN, --num-rows-in-insert INSERTs of one row each into one\n"
              "table, COMMIT.",
          .options = options_with({"skip-trx", "num-rows-in-insert"}),
          .make = make<OltpMultiInsert>};
}

}  // namespace workloads::sysbench
