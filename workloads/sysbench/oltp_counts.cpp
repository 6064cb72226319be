// Two workloads that count (RisingWave's): all rows of a table, and one row joined to the first table twice.

#include <fmt/format.h>

#include "workloads/sysbench/oltp_workload.hpp"
#include "workloads/sysbench/sysbench.hpp"

namespace workloads::sysbench {

namespace {

class OltpCountAll final : public OltpWorkload {
 public:
  explicit OltpCountAll(const api::OptionValues& values) : OltpWorkload(values, "oltp_count_all") {}

  std::vector<api::StatementSpec> statements() const override {
    return {specification("count_all", for_each_table(options(), "SELECT COUNT(*) FROM %t"), {1, 1})};
  }

  api::KindId append(api::Session& session) const override {
    const std::size_t table = draw_table(session.random());
    for (std::int64_t i = 0; i < options().count_alls; ++i) {
      (void)draw_id(session.random());  // as the original does
      session.add(0, table);
    }
    return kTransaction;
  }
};

class LoadTest final : public OltpWorkload {
 public:
  explicit LoadTest(const api::OptionValues& values) : OltpWorkload(values, "load_test") {}

  std::vector<api::StatementSpec> statements() const override {
    const std::string sql = fmt::format(
        "SELECT count(*) FROM %t t1 join {0} t2 on t1.id = t2.id join {0} t3 on t2.id = t3.id WHERE t1.id = "
        "$1",
        table_name(options(), 1));
    return {specification("load_test", for_each_table(options(), sql), {1, 1})};
  }

  api::KindId append(api::Session& session) const override {
    const std::size_t table = draw_table(session.random());
    session.add(0, table, draw_id(session.random()));
    return kTransaction;
  }
};

}  // namespace

api::Descriptor oltp_count_all() {
  return {.name = "oltp_count_all",
          .summary = "count of a whole table (RisingWave)",
          .help = "A transaction is --count-alls SELECT COUNT(*) of one table, each by itself.",
          .options = options_with({"count-alls"}),
          .make = make<OltpCountAll>};
}

api::Descriptor load_test() {
  return {.name = "load_test",
          .summary = "one row joined to the first table twice (RisingWave)",
          .help =
              "A transaction is one SELECT count(*) over a random table joined to the first\n"
              "one twice, for one id.",
          .options = options_with({}),
          .make = make<LoadTest>};
}

}  // namespace workloads::sysbench
