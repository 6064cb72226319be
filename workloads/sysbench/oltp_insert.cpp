// One insert, its values written into the statement.

#include "workloads/sysbench/oltp_workload.hpp"
#include "workloads/sysbench/sysbench.hpp"
#include "workloads/sysbench/unique_ids.hpp"

namespace workloads::sysbench {

namespace {

class OltpInsert final : public OltpWorkload {
 public:
  explicit OltpInsert(const api::OptionValues& values) : OltpWorkload(values, "oltp_insert") {}

  std::vector<api::StatementSpec> statements() const override {
    const Sql sql = options().auto_inc ? Sql::insert_without_id : Sql::insert_row;
    api::StatementSpec insert = specification(sql, options(), false);
    insert.sending = api::Sending::literals;
    return {insert};
  }

  std::unique_ptr<api::SessionState> new_state(api::Session& session) const override {
    return std::make_unique<UniqueIds>(session);
  }

  api::KindId append(api::Session& session) const override {
    const std::size_t table = draw_table(session.random());
    const std::int64_t k = draw_id(session.random());
    const RandomText c(kTextC, session.random());
    const RandomText pad(kTextPad, session.random());
    if (options().auto_inc) {
      session.add(kInsert, table, k, c.view(), pad.view());
    } else {
      session.add(kInsert, table, session.state<UniqueIds>().next(), k, c.view(), pad.view());
    }
    return kTransaction;
  }

 private:
  static constexpr api::StatementId kInsert = 0;
};

}  // namespace

api::Descriptor oltp_insert() {
  return {.name = "oltp_insert",
          .summary = "one insert (sysbench)",
          .help =
              "A transaction is one INSERT into a random table, its values as literals in a\n"
              "simple query whatever --protocol says. With --auto-inc off the id comes from a\n"
              "sequence without repeats over all 32-bit numbers; it depends on the seed.",
          .options = options_with({}),
          .make = make<OltpInsert>};
}

}  // namespace workloads::sysbench
