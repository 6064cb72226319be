// A range of ids of two tables, joined (YugabyteDB's).

#include <fmt/format.h>

#include "workloads/sysbench/oltp_workload.hpp"
#include "workloads/sysbench/sysbench.hpp"

namespace workloads::sysbench {

namespace {

/// The second table for each first one, drawn once per session.
struct Partners : api::SessionState {
  std::vector<std::size_t> of_table;

  bool sends(api::StatementId, std::size_t variant) const override {
    const std::size_t tables = of_table.size();
    return of_table[variant / tables] == variant % tables;
  }
};

class OltpJoin final : public OltpWorkload {
 public:
  explicit OltpJoin(const api::OptionValues& values) : OltpWorkload(values, "oltp_join") { limit_tables(); }

  void adopt(const api::FoundData& found) override {
    OltpWorkload::adopt(found);
    limit_tables();
  }

  /// One text for each pair of tables.
  std::vector<api::StatementSpec> statements() const override {
    std::vector<std::string> sql;
    for (std::int64_t first = 1; first <= options().tables; ++first) {
      for (std::int64_t second = 1; second <= options().tables; ++second)
        sql.push_back(
            fmt::format("SELECT t1.c, t2.c FROM {} as t1 join {} as t2 on t1.id = t2.id "
                        "where t1.id > $1 and t1.id < $2 and t2.id > $3 and t2.id < $4 ",
                        table_name(options(), first), table_name(options(), second)));
    }
    return {specification("join", std::move(sql), {0, static_cast<std::uint64_t>(options().range_size)})};
  }

  std::unique_ptr<api::SessionState> new_state(api::Session& session) const override {
    auto partners = std::make_unique<Partners>();
    for (std::int64_t i = 0; i < options().tables; ++i)
      partners->of_table.push_back(draw_table(session.random()));
    return partners;
  }

  api::KindId append(api::Session& session) const override {
    const auto& partners = session.state<Partners>().of_table;
    const std::size_t table = draw_table(session.random());
    const std::int64_t low = draw_id(session.random());
    const std::int64_t high = plus(low, options().range_size);
    session.add(0, table * partners.size() + partners[table], low, high, low, high);
    return kTransaction;
  }

 private:
  /// Each pair is a statement of its own to the server.
  void limit_tables() const {
    constexpr std::int64_t kMostTables = 100;
    if (options().tables > kMostTables)
      throw api::OptionError(fmt::format("oltp_join takes at most {} tables, not {}: say --tables",
                                         kMostTables, options().tables));
  }
};

}  // namespace

api::Descriptor oltp_join() {
  return {.name = "oltp_join",
          .summary = "a range of two tables, joined (YugabyteDB)",
          .help =
              "A transaction is one join of two tables over --range-size - 1 ids. The first\n"
              "table is random each time; each session has picked a second one for each first\n"
              "before it starts.",
          .options = options_with({"range-size"}),
          .make = make<OltpJoin>};
}

}  // namespace workloads::sysbench
