// Two workloads: updates by primary key, of the indexed column or of one without index. Each statement
// commits by itself.

#include "workloads/sysbench/oltp_workload.hpp"
#include "workloads/sysbench/sysbench.hpp"

namespace workloads::sysbench {

namespace {

class OltpUpdateIndex final : public OltpWorkload {
 public:
  explicit OltpUpdateIndex(const api::OptionValues& values) : OltpWorkload(values, "oltp_update_index") {
    declare({Sql::index_update});
  }
  bool commits_each_statement() const override { return true; }

  api::KindId append(api::Session& session) const override {
    index_updates(session);
    return kTransaction;
  }
};

class OltpUpdateNonIndex final : public OltpWorkload {
 public:
  explicit OltpUpdateNonIndex(const api::OptionValues& values)
      : OltpWorkload(values, "oltp_update_non_index") {
    declare({Sql::non_index_update});
  }
  bool commits_each_statement() const override { return true; }

  api::KindId append(api::Session& session) const override {
    non_index_updates(session);
    return kTransaction;
  }
};

}  // namespace

api::Descriptor oltp_update_index() {
  return {.name = "oltp_update_index",
          .summary = "updates of the indexed column, each its own commit",
          .help =
              "A transaction is --index-updates UPDATEs of one table, each committed by\n"
              "itself: after an error, only the failed one is tried again.",
          .options = options_with({"index-updates"}),
          .make = make<OltpUpdateIndex>};
}

api::Descriptor oltp_update_non_index() {
  return {.name = "oltp_update_non_index",
          .summary = "updates of another column, each its own commit",
          .help =
              "A transaction is --non-index-updates UPDATEs of one table, each committed by\n"
              "itself: after an error, only the failed one is tried again.",
          .options = options_with({"non-index-updates"}),
          .make = make<OltpUpdateNonIndex>};
}

}  // namespace workloads::sysbench
