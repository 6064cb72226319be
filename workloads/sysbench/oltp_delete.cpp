// One delete by primary key; nothing is inserted in its place, so the table drains.

#include "workloads/sysbench/oltp_workload.hpp"
#include "workloads/sysbench/sysbench.hpp"

namespace workloads::sysbench {

namespace {

class OltpDelete final : public OltpWorkload {
 public:
  explicit OltpDelete(const api::OptionValues& values) : OltpWorkload(values, "oltp_delete") {
    declare({Sql::delete_row});
  }

  api::KindId append(api::Session& session) const override {
    const std::size_t table = draw_table(session.random());
    session.add(id_of(Sql::delete_row), table, draw_id(session.random()));
    return kTransaction;
  }
};

}  // namespace

api::Descriptor oltp_delete() {
  return {.name = "oltp_delete",
          .summary = "one delete by primary key (sysbench)",
          .help =
              "A transaction is one DELETE of a random table. Nothing is inserted again: the\n"
              "tables drain, and deletes of ids that are gone count as good.",
          .options = options_with({}),
          .make = make<OltpDelete>};
}

}  // namespace workloads::sysbench
