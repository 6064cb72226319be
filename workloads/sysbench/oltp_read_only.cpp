// Point reads, then four kinds of range reads, in one transaction.

#include "workloads/sysbench/oltp_workload.hpp"
#include "workloads/sysbench/sysbench.hpp"

namespace workloads::sysbench {

namespace {

class OltpReadOnly final : public OltpWorkload {
 public:
  explicit OltpReadOnly(const api::OptionValues& values) : OltpWorkload(values, "oltp_read_only") {
    declare_reads();
    declare({Sql::begin, Sql::commit});
  }

  api::KindId append(api::Session& session) const override {
    begin(session);
    reads(session);
    commit(session);
    return kTransaction;
  }
};

}  // namespace

api::Descriptor oltp_read_only() {
  return {.name = "oltp_read_only",
          .summary = "10 point and 4 range reads in a transaction (sysbench)",
          .help =
              "A transaction is BEGIN, the point reads, the range reads (plain, sum, sorted,\n"
              "distinct), COMMIT. Each kind of read picks one table, and each read its own\n"
              "id.",
          .options = options_with({"skip-trx", "point-selects", "range-selects", "range-size",
                                   "simple-ranges", "sum-ranges", "order-ranges", "distinct-ranges"}),
          .make = make<OltpReadOnly>};
}

}  // namespace workloads::sysbench
