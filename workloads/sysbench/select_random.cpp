// Three workloads that read the first table through its index on k: rows of some random values, counts of
// some random ranges, and just any ten rows.

#include <fmt/format.h>

#include <array>

#include "workloads/sysbench/oltp_workload.hpp"
#include "workloads/sysbench/slices.hpp"
#include "workloads/sysbench/sysbench.hpp"

namespace workloads::sysbench {

namespace {

/// One statement on the first table, keys from the session's slice.
class SelectRandom : public OltpWorkload {
 public:
  using OltpWorkload::OltpWorkload;

  std::unique_ptr<api::SessionState> new_state(api::Session& session) const override {
    return std::make_unique<Slice>(options().keys, options().table_size, session);
  }

 protected:
  static constexpr api::StatementId kSelect = 0;
  std::string table() const { return table_name(options(), 1); }
};

class SelectRandomPoints final : public SelectRandom {
 public:
  explicit SelectRandomPoints(const api::OptionValues& values)
      : SelectRandom(values, "select_random_points") {}

  std::vector<api::StatementSpec> statements() const override {
    std::string marks = "$1";
    for (std::int64_t i = 2; i <= options().random_points; ++i) marks += fmt::format(", ${}", i);
    const std::string sql =
        fmt::format("        SELECT id, k, c, pad\n          FROM {}\n          WHERE k IN ({})\n        ",
                    table(), marks);
    return {specification("random_points", {sql}, {})};
  }

  api::KindId append(api::Session& session) const override {
    const auto& keys = session.state<Slice>().keys;
    session.add_list(kSelect, 0, static_cast<std::size_t>(options().random_points),
                     [&](std::size_t) { return keys.draw(session.random()); });
    return kTransaction;
  }
};

class SelectRandomRanges final : public SelectRandom {
 public:
  explicit SelectRandomRanges(const api::OptionValues& values)
      : SelectRandom(values, "select_random_ranges") {}

  std::vector<api::StatementSpec> statements() const override {
    std::string ranges = "k BETWEEN $1 AND $2";
    for (std::int64_t i = 2; i <= options().number_of_ranges; ++i)
      ranges += fmt::format(" OR k BETWEEN ${} AND ${}", 2 * i - 1, 2 * i);
    const std::string sql =
        fmt::format("        SELECT count(k)\n          FROM {}\n          WHERE {}", table(), ranges);
    return {specification("random_ranges", {sql}, {1, 1})};
  }

  api::KindId append(api::Session& session) const override {
    const auto& keys = session.state<Slice>().keys;
    std::int64_t first = 0;
    session.add_list(kSelect, 0, static_cast<std::size_t>(2 * options().number_of_ranges),
                     [&](std::size_t i) {
                       if (i % 2 == 1) return plus(first, options().delta);
                       return first = keys.draw(session.random());
                     });
    return kTransaction;
  }
};

class SelectRandomLimits final : public SelectRandom {
 public:
  explicit SelectRandomLimits(const api::OptionValues& values)
      : SelectRandom(values, "select_random_limits") {}

  std::vector<api::StatementSpec> statements() const override {
    const std::string sql = fmt::format("        SELECT *\n          FROM {}\n          LIMIT 10", table());
    return {specification("random_limits", {sql}, {0, 10})};
  }

  api::KindId append(api::Session& session) const override {
    session.add(kSelect, 0);
    return kTransaction;
  }
};

}  // namespace

api::Descriptor select_random_points() {
  return {.name = "select_random_points",
          .summary = "rows of 10 values of an indexed column (sysbench)",
          .help =
              "A transaction is one SELECT ... WHERE k IN (...) on the first table. Each\n"
              "session draws from its own part of the keys.",
          .options = options_with({"random-points"}),
          .make = make<SelectRandomPoints>};
}

api::Descriptor select_random_ranges() {
  return {.name = "select_random_ranges",
          .summary = "count over 10 ranges of an indexed column (sysbench)",
          .help =
              "A transaction is one SELECT count(k) ... WHERE k BETWEEN ... OR ... on the\n"
              "first table. Each session draws from its own part of the keys.",
          .options = options_with({"number-of-ranges", "delta"}),
          .make = make<SelectRandomRanges>};
}

api::Descriptor select_random_limits() {
  return {.name = "select_random_limits",
          .summary = "any 10 rows (RisingWave)",
          .help = "A transaction is one SELECT ... LIMIT 10 on the first table, without a key.",
          .options = options_with({}),
          .make = make<SelectRandomLimits>};
}

}  // namespace workloads::sysbench
