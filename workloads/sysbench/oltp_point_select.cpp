// One row by primary key: the smallest query there is. A model for new workloads: the statements that it
// declares, and one transaction; options, tables and their data are the family's (oltp_workload.hpp).

#include "workloads/sysbench/oltp_workload.hpp"
#include "workloads/sysbench/sysbench.hpp"

namespace workloads::sysbench {

namespace {

class OltpPointSelect final : public OltpWorkload {
 public:
  explicit OltpPointSelect(const api::OptionValues& values) : OltpWorkload(values, "oltp_point_select") {
    declare({Sql::point_select});
  }

  api::KindId append(api::Session& session) const override {
    point_selects(session, 1);
    return kTransaction;
  }
};

}  // namespace

api::Descriptor oltp_point_select() {
  return {.name = "oltp_point_select",
          .summary = "one row by primary key (sysbench)",
          .help =
              "Reads one row of a random table by its primary key. A transaction is one\n"
              "SELECT.",
          .options = options_with({}),
          .make = make<OltpPointSelect>};
}

}  // namespace workloads::sysbench
