// The reads of oltp_read_only and the writes of oltp_write_only, in one transaction.

#include "workloads/sysbench/oltp_workload.hpp"
#include "workloads/sysbench/sysbench.hpp"

namespace workloads::sysbench {

namespace {

class OltpReadWrite final : public OltpWorkload {
 public:
  explicit OltpReadWrite(const api::OptionValues& values) : OltpWorkload(values, "oltp_read_write") {
    declare_reads();
    declare({Sql::index_update, Sql::non_index_update, Sql::delete_row, Sql::insert_row});
    declare({Sql::begin, Sql::commit});
  }

  api::KindId append(api::Session& session) const override {
    begin(session);
    reads(session);
    index_updates(session);
    non_index_updates(session);
    delete_inserts(session);
    commit(session);
    return kTransaction;
  }
};

}  // namespace

api::Descriptor oltp_read_write() {
  return {.name = "oltp_read_write",
          .summary = "14 reads and 4 writes in a transaction (sysbench)",
          .help =
              "A transaction is BEGIN, the reads of oltp_read_only, updates of the indexed\n"
              "column, updates of a column without index, deletes each followed by an insert\n"
              "of the same id, COMMIT. Each kind picks one table, and each statement its own\n"
              "id.",
          .options = options_with({"skip-trx", "point-selects", "range-selects", "range-size",
                                   "simple-ranges", "sum-ranges", "order-ranges", "distinct-ranges",
                                   "index-updates", "non-index-updates", "delete-inserts"}),
          .make = make<OltpReadWrite>};
}

}  // namespace workloads::sysbench
