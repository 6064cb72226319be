// Workloads of one kind of read (YugabyteDB's): ranges of ids in three forms, and the first rows that the
// table yields.

#include "workloads/sysbench/oltp_workload.hpp"
#include "workloads/sysbench/sysbench.hpp"

namespace workloads::sysbench {

namespace {

/// Ranges of one form, each statement by itself.
class RangeReads : public OltpWorkload {
 public:
  RangeReads(const api::OptionValues& values, std::string kind, Sql form, std::int64_t Options::* count)
      : OltpWorkload(values, std::move(kind)), form_(form), count_(count) {
    declare({form});
  }

  api::KindId append(api::Session& session) const override {
    ranges(session, form_, options().*count_);
    return kTransaction;
  }

 private:
  Sql form_;
  std::int64_t Options::* count_;
};

struct OltpPrimarykeyScan final : RangeReads {
  explicit OltpPrimarykeyScan(const api::OptionValues& values)
      : RangeReads(values, "oltp_primarykey_scan", Sql::order_range, &Options::order_ranges) {}
};

struct OltpSimpleRanges final : RangeReads {
  explicit OltpSimpleRanges(const api::OptionValues& values)
      : RangeReads(values, "oltp_simple_ranges", Sql::simple_range, &Options::simple_ranges) {}
};

struct OltpSumScan final : RangeReads {
  explicit OltpSumScan(const api::OptionValues& values)
      : RangeReads(values, "oltp_sum_scan", Sql::sum_range, &Options::sum_ranges) {}
};

class OltpSequentialScan final : public OltpWorkload {
 public:
  explicit OltpSequentialScan(const api::OptionValues& values)
      : OltpWorkload(values, "oltp_sequential_scan") {}

  std::vector<api::StatementSpec> statements() const override {
    return {specification("sequential_scan", for_each_table(options(), "SELECT c FROM %t Limit $1"),
                          {0, static_cast<std::uint64_t>(options().range_size)})};
  }

  api::KindId append(api::Session& session) const override {
    const std::size_t table = draw_table(session.random());
    session.add(0, table, options().range_size);
    return kTransaction;
  }
};

}  // namespace

api::Descriptor oltp_primarykey_scan() {
  return {.name = "oltp_primarykey_scan",
          .summary = "sorted range reads (YugabyteDB)",
          .help =
              "A transaction is --order-ranges reads of a range of ids, sorted by c, each by\n"
              "itself.",
          .options = options_with({"range-size", "order-ranges"}),
          .make = make<OltpPrimarykeyScan>};
}

api::Descriptor oltp_simple_ranges() {
  return {.name = "oltp_simple_ranges",
          .summary = "range reads (YugabyteDB)",
          .help = "A transaction is --simple-ranges reads of a range of ids, each by itself.",
          .options = options_with({"range-size", "simple-ranges"}),
          .make = make<OltpSimpleRanges>};
}

api::Descriptor oltp_sum_scan() {
  return {.name = "oltp_sum_scan",
          .summary = "sums over ranges (YugabyteDB)",
          .help = "A transaction is --sum-ranges sums of k over a range of ids, each by itself.",
          .options = options_with({"range-size", "sum-ranges"}),
          .make = make<OltpSumScan>};
}

api::Descriptor oltp_sequential_scan() {
  return {.name = "oltp_sequential_scan",
          .summary = "any 100 rows of a table (YugabyteDB)",
          .help =
              "A transaction is one SELECT ... LIMIT with --range-size, of a random table,\n"
              "without a key.",
          .options = options_with({"range-size"}),
          .make = make<OltpSequentialScan>};
}

}  // namespace workloads::sysbench
