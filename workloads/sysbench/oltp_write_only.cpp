// Updates, deletes and inserts in one transaction, without a read.

#include "workloads/sysbench/oltp_workload.hpp"
#include "workloads/sysbench/sysbench.hpp"

namespace workloads::sysbench {

namespace {

class OltpWriteOnly final : public OltpWorkload {
 public:
  explicit OltpWriteOnly(const api::OptionValues& values) : OltpWorkload(values, "oltp_write_only") {
    declare({Sql::index_update, Sql::non_index_update, Sql::delete_row, Sql::insert_row});
    declare({Sql::begin, Sql::commit});
  }

  api::KindId append(api::Session& session) const override {
    begin(session);
    index_updates(session);
    non_index_updates(session);
    delete_inserts(session);
    commit(session);
    return kTransaction;
  }
};

}  // namespace

api::Descriptor oltp_write_only() {
  return {.name = "oltp_write_only",
          .summary = "4 writes in a transaction (sysbench)",
          .help =
              "A transaction is BEGIN, updates of the indexed column, updates of a column\n"
              "without index, deletes each followed by an insert of the same id, COMMIT. Each\n"
              "kind picks one table, and each statement its own id.",
          .options = options_with({"skip-trx", "index-updates", "non-index-updates", "delete-inserts"}),
          .make = make<OltpWriteOnly>};
}

}  // namespace workloads::sysbench
