// One row by primary key: the smallest query there is. A model for new workloads: options, statements, kinds
// and one transaction; tables and their data are the family's (oltp_workload.hpp).

#include "workloads/sysbench/oltp_workload.hpp"
#include "workloads/sysbench/sysbench.hpp"

namespace workloads::sysbench {

namespace {

class OltpPointSelect final : public OltpWorkload {
 public:
  using OltpWorkload::OltpWorkload;

  std::vector<api::StatementSpec> statements() const override {
    api::StatementSpec point;
    point.name = "point_select";
    point.sql = for_each_table("SELECT c FROM %t WHERE id=$1");
    point.rows = {1, 1};
    return {point};
  }

  std::vector<std::string> kinds() const override { return {"oltp_point_select"}; }

  boost::asio::awaitable<api::KindId> transaction(api::Session& session) const override {
    const api::KindId kind = append(session);
    co_await session.flush();
    co_return kind;
  }

  bool single_statement() const override { return true; }

  api::KindId append(api::Session& session) const override {
    const std::size_t table = draw_table(session.random());
    const std::int64_t id = draw_id(session.random());
    session.add(kPointSelect, table, id);
    return kTransaction;
  }

 private:
  static constexpr api::StatementId kPointSelect = 0;
  static constexpr api::KindId kTransaction = 0;
};

}  // namespace

api::Descriptor oltp_point_select() {
  return {.name = "oltp_point_select",
          .summary = "one row by primary key (sysbench)",
          .help =
              "Reads one row of a random table by its primary key. Tables, data and statement are those of\n"
              "sysbench's oltp_point_select: either program runs on what the other prepared.\n"
              "A transaction is one SELECT; table and id are drawn uniformly.",
          .options = table_options(),
          .make = [](const api::OptionValues& options) -> std::unique_ptr<api::Workload> {
            return std::make_unique<OltpPointSelect>(options);
          }};
}

}  // namespace workloads::sysbench
