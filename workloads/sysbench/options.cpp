#include "workloads/sysbench/options.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace workloads::sysbench {

namespace {

using Type = api::OptionSpec::Type;

constexpr std::int64_t kMostPerTransaction = 1'000'000;
constexpr std::int64_t kMostTables = 10'000;

api::OptionSpec integer(std::string_view name, std::int64_t value, std::int64_t min, std::int64_t max,
                        std::string_view help) {
  api::OptionSpec spec;
  spec.name = name;
  spec.type = Type::integer;
  spec.default_value = std::to_string(value);
  spec.help = help;
  spec.min = min;
  spec.max = max;
  return spec;
}

/// How many of something a transaction has.
api::OptionSpec count(std::string_view name, std::int64_t value, std::string_view help) {
  return integer(name, value, 0, kMostPerTransaction, help);
}

api::OptionSpec other(Type type, std::string_view name, std::string_view value, std::string_view help) {
  api::OptionSpec spec;
  spec.name = name;
  spec.type = type;
  spec.default_value = value;
  spec.help = help;
  return spec;
}

api::OptionSpec flag(std::string_view name, std::string_view value, std::string_view help) {
  return other(Type::boolean, name, value, help);
}

api::OptionSpec rand_type() {
  api::OptionSpec spec = other(Type::text, "rand-type", "uniform", "distribution of the keys");
  spec.choices = {"uniform", "gaussian", "special", "pareto", "zipfian"};
  return spec;
}

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

// The first ones belong to every workload on the family's tables, up to kCommonEnd.
const std::vector<api::OptionSpec>& list() {
  static const std::vector<api::OptionSpec> specs{
      integer("tables", 1, 1, kMostTables, "number of tables (sbtest1, sbtest2 ...)"),
      integer("table-size", 10'000, 1, kMost, "rows in each table"),
      other(Type::text, "table-prefix", "sbtest",
            "what the tables' names begin with; NAME! is one table's whole name"),
      rand_type(),
      other(Type::real, "rand-pareto-h", "0.2", "pareto: this share of the keys gets 1 - h of the draws"),
      other(Type::real, "rand-zipfian-exp", "0.8", "zipfian: exponent, 0 or more"),
      integer("rand-spec-iter", 12, 1, 1000, "special, gaussian: uniforms whose mean is drawn"),
      integer("rand-spec-pct", 1, 0, 100, "special: percent of the keys that are hot"),
      integer("rand-spec-res", 75, 0, 100, "special: percent of the draws that hit them"),
      integer("reconnect", 0, 0, kMost, "connect anew after every N transactions of a session; 0: never"),
      flag("auto-inc", "on", "id from a sequence, not from the client"),
      flag("create-secondary", "on", "prepare: index on k"),
      other(Type::text, "create-table-options", "", "prepare: put behind CREATE TABLE"),
      integer("serial-cache-size", 1000, 0, kMost, "prepare, yugabyte: ids a sequence hands out at once"),
      flag("range-key-partitioning", "off", "prepare, yugabyte: primary key by range, not by hash"),
      flag("manual-range-splitting", "on", "prepare, yugabyte: with the former, SPLIT AT VALUES"),
      integer("num-table-splits", 24, 1, 100'000, "prepare, yugabyte: tablets of each table"),
      flag("create-covered-secondary", "on", "prepare, risingwave: covering index on k"),
      flag("skip-ddl", "off", "prepare: only fill tables that exist"),

      flag("skip-trx", "off", "leave out BEGIN and COMMIT"),
      count("point-selects", 10, "reads by primary key"),
      flag("range-selects", "on", "off: none of the four kinds of range reads"),
      integer("range-size", 100, 1, kMost, "ids in a range"),
      count("simple-ranges", 1, "reads of a range"),
      count("sum-ranges", 1, "sums over a range"),
      count("order-ranges", 1, "sorted reads of a range"),
      count("distinct-ranges", 1, "distinct sorted reads of a range"),
      count("index-updates", 1, "updates of the indexed column"),
      count("non-index-updates", 1, "updates of a column without index"),
      count("delete-inserts", 1, "deletes, each with an insert of the same id"),
      integer("random-points", 10, 1, 30'000, "values of k to look for"),
      integer("number-of-ranges", 10, 1, 15'000, "ranges of k to count"),
      integer("delta", 5, 0, kMost / 2, "width of each range"),
      count("num-rows-in-insert", 10, "INSERT statements"),
      integer("batch-insert-count", 4000, 1, kMostPerTransaction, "rows in all"),
      flag("smaller-row-sizes", "off", "shorter c and pad"),
      count("count-alls", 1, "counts of a whole table"),
  };
  return specs;
}

constexpr std::string_view kCommonEnd = "skip-trx";

void require(bool good, std::string_view option, std::string_view wanted) {
  if (!good) throw api::OptionError("--" + std::string(option) + ": " + std::string(wanted));
}

/// The same values among all options of the family, so that each has one.
api::OptionValues complete(const api::OptionValues& values) {
  std::map<std::string, std::string> given;
  for (const auto& [name, text] : values.all())
    if (values.given(name)) given[name] = text;
  return {list(), given};
}

random::DistributionSpec distribution(const api::OptionValues& all) {
  using random::DistributionSpec;
  static const std::map<std::string, DistributionSpec::Type> kTypes{
      {"uniform", DistributionSpec::Type::uniform},
      {"gaussian", DistributionSpec::Type::gaussian},
      {"special", DistributionSpec::Type::special},
      {"pareto", DistributionSpec::Type::pareto},
      {"zipfian", DistributionSpec::Type::zipfian}};
  DistributionSpec keys;
  keys.type = kTypes.at(all.text("rand-type"));
  keys.iterations = all.integer("rand-spec-iter");
  keys.special_percent = static_cast<double>(all.integer("rand-spec-pct"));
  keys.special_requests = static_cast<double>(all.integer("rand-spec-res"));
  keys.pareto_h = all.real("rand-pareto-h");
  keys.zipfian_exponent = all.real("rand-zipfian-exp");
  require(keys.pareto_h > 0 && keys.pareto_h < 1, "rand-pareto-h", "a number between 0 and 1 is wanted");
  require(keys.zipfian_exponent >= 0, "rand-zipfian-exp", "a number of at least 0 is wanted");
  return keys;
}

}  // namespace

std::span<const api::OptionSpec> all_options() { return list(); }

std::vector<api::OptionSpec> options_with(std::initializer_list<std::string_view> more) {
  const auto& all = list();
  std::vector<api::OptionSpec> chosen(all.begin(),
                                      std::ranges::find(all, kCommonEnd, &api::OptionSpec::name));
  for (const auto name : more) chosen.push_back(*std::ranges::find(all, name, &api::OptionSpec::name));
  return chosen;
}

Options::Options(const api::OptionValues& values) {
  const api::OptionValues all = complete(values);
  tables = all.integer("tables");
  table_size = all.integer("table-size");
  tables_given = all.given("tables");
  table_size_given = all.given("table-size");
  table_prefix = all.text("table-prefix");
  require(!table_prefix.empty() && table_prefix != "!", "table-prefix", "a name is wanted");
  require(tables == 1 || !table_prefix.ends_with('!'), "table-prefix", "NAME! is the name of one table only");
  keys = distribution(all);
  reconnect = all.integer("reconnect");
  auto_inc = all.boolean("auto-inc");
  auto_inc_given = all.given("auto-inc");
  create_secondary = all.boolean("create-secondary");
  create_covered_secondary = all.boolean("create-covered-secondary");
  create_table_options = all.text("create-table-options");
  skip_ddl = all.boolean("skip-ddl");
  serial_cache_size = all.integer("serial-cache-size");
  serial_cache_size_given = all.given("serial-cache-size");
  range_key_partitioning = all.boolean("range-key-partitioning");
  manual_range_splitting = all.boolean("manual-range-splitting");
  num_table_splits = all.integer("num-table-splits");
  skip_trx = all.boolean("skip-trx");
  range_size = all.integer("range-size");
  point_selects = all.integer("point-selects");
  range_selects = all.boolean("range-selects");
  simple_ranges = all.integer("simple-ranges");
  sum_ranges = all.integer("sum-ranges");
  order_ranges = all.integer("order-ranges");
  distinct_ranges = all.integer("distinct-ranges");
  index_updates = all.integer("index-updates");
  non_index_updates = all.integer("non-index-updates");
  delete_inserts = all.integer("delete-inserts");
  random_points = all.integer("random-points");
  number_of_ranges = all.integer("number-of-ranges");
  delta = all.integer("delta");
  num_rows_in_insert = all.integer("num-rows-in-insert");
  batch_insert_count = all.integer("batch-insert-count");
  smaller_row_sizes = all.boolean("smaller-row-sizes");
  count_alls = all.integer("count-alls");
}

}  // namespace workloads::sysbench
