#include "workloads/sysbench/oltp_workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "workloads/api/grouped.hpp"

namespace workloads::sysbench {

OltpWorkload::OltpWorkload(const api::OptionValues& values, std::string kind)
    : options_(values), kind_(std::move(kind)), keys_(options_.keys, 1, options_.table_size) {}

void OltpWorkload::speak(api::Dialect dialect) {
  dialect_ = dialect;
  if (options_.range_key_partitioning && dialect != api::Dialect::yugabyte)
    throw api::OptionError(
        fmt::format("--range-key-partitioning is for YugabyteDB, and this is {}: leave it out "
                    "or say --dialect yugabyte",
                    to_string(dialect)));
  if (dialect != api::Dialect::risingwave) return;
  options_.skip_trx = true;  // it has no transactions of several statements
  if (!options_.auto_inc_given) options_.auto_inc = false;
}

std::vector<api::TableSpec> OltpWorkload::tables() const {
  std::vector<api::TableSpec> list;
  for (std::int64_t number = 1; number <= options_.tables; ++number)
    list.push_back(oltp_table(number, options_, dialect_));
  return list;
}

std::optional<api::TableFamily> OltpWorkload::family() const {
  if (options_.table_prefix.ends_with('!')) return std::nullopt;
  return api::TableFamily{options_.table_prefix, "id"};
}

void OltpWorkload::adopt(const api::FoundData& found) {
  if (found.tables == 0 || found.rows_per_table == 0) return;
  if (!options_.tables_given) options_.tables = static_cast<std::int64_t>(found.tables);
  if (!options_.table_size_given) options_.table_size = static_cast<std::int64_t>(found.rows_per_table);
  found_ = !options_.tables_given || !options_.table_size_given;
  keys_ = random::Distribution(options_.keys, 1, options_.table_size);
}

std::map<std::string, std::string> OltpWorkload::adopted() const {
  if (!found_) return {};
  return {{"tables", std::to_string(options_.tables)}, {"table-size", std::to_string(options_.table_size)}};
}

std::string OltpWorkload::data_summary() const {
  const auto grouped = [](std::int64_t count) { return api::grouped(static_cast<std::uint64_t>(count)); };
  return fmt::format("{} {} x {} rows{}", grouped(options_.tables), options_.tables == 1 ? "table" : "tables",
                     grouped(options_.table_size), found_ ? " (found)" : "");
}

std::string OltpWorkload::key_summary() const {
  const random::DistributionSpec& keys = options_.keys;
  using enum random::DistributionSpec::Type;
  switch (keys.type) {
    case gaussian:
      return "keys gaussian";
    case special:
      return fmt::format("keys special ({:g} % of the draws to {:g} % of the keys)", keys.special_requests,
                         keys.special_percent);
    case pareto:
      return fmt::format("keys pareto {:g}", keys.pareto_h);
    case zipfian:
      return fmt::format("keys zipfian {:g}", keys.zipfian_exponent);
    case uniform:
      break;
  }
  return "keys uniform";
}

void OltpWorkload::declare(std::initializer_list<Sql> list) {
  for (const Sql sql : list) {
    ids_[static_cast<std::size_t>(sql)] = static_cast<api::StatementId>(declared_.size());
    declared_.push_back(sql);
  }
}

void OltpWorkload::declare_reads() {
  declare({Sql::point_select});
  if (options_.range_selects)
    declare({Sql::simple_range, Sql::sum_range, Sql::order_range, Sql::distinct_range});
}

// BEGIN and COMMIT come last: without them the others keep their numbers.
std::vector<api::StatementSpec> OltpWorkload::statements() const {
  const bool rows_vanish = std::ranges::find(declared_, Sql::delete_row) != declared_.end();
  std::vector<api::StatementSpec> list;
  for (const Sql sql : declared_) {
    api::StatementSpec spec = specification(sql, options_, rows_vanish);
    if (!spec.transaction_control || !options_.skip_trx) list.push_back(std::move(spec));
  }
  return list;
}

bool OltpWorkload::retryable(proto_pg::wire::SqlState sqlstate) const {
  return Workload::retryable(sqlstate) || sqlstate == proto_pg::wire::SqlState::parse("23505");
}

void OltpWorkload::begin(api::Session& session) const {
  if (!options_.skip_trx) session.add(id_of(Sql::begin), 0);
}

void OltpWorkload::commit(api::Session& session) const {
  if (options_.skip_trx) return;
  // After an error the server skips what follows up to a Sync. Where others follow in the flight, that must
  // not be the COMMIT: it ends the failed transaction.
  if (session.in_batch()) session.sync();
  session.add(id_of(Sql::commit), 0);
}

void OltpWorkload::reads(api::Session& session) const {
  point_selects(session, options_.point_selects);
  if (!options_.range_selects) return;
  ranges(session, Sql::simple_range, options_.simple_ranges);
  ranges(session, Sql::sum_range, options_.sum_ranges);
  ranges(session, Sql::order_range, options_.order_ranges);
  ranges(session, Sql::distinct_range, options_.distinct_ranges);
}

void OltpWorkload::point_selects(api::Session& session, std::int64_t count) const {
  const std::size_t table = draw_table(session.random());
  for (std::int64_t i = 0; i < count; ++i)
    session.add(id_of(Sql::point_select), table, draw_id(session.random()));
}

void OltpWorkload::ranges(api::Session& session, Sql which, std::int64_t count) const {
  const std::size_t table = draw_table(session.random());
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t first = draw_id(session.random());
    session.add(id_of(which), table, first, plus(first, options_.range_size - 1));
  }
}

void OltpWorkload::index_updates(api::Session& session) const {
  const std::size_t table = draw_table(session.random());
  for (std::int64_t i = 0; i < options_.index_updates; ++i) {
    session.add(id_of(Sql::index_update), table, draw_id(session.random()));
    if (commits_each_statement()) session.sync();
  }
}

void OltpWorkload::non_index_updates(api::Session& session) const {
  const std::size_t table = draw_table(session.random());
  for (std::int64_t i = 0; i < options_.non_index_updates; ++i) {
    const RandomText c(kTextC, session.random());
    session.add(id_of(Sql::non_index_update), table, c.view(), draw_id(session.random()));
    if (commits_each_statement()) session.sync();
  }
}

void OltpWorkload::delete_inserts(api::Session& session) const {
  const std::size_t table = draw_table(session.random());
  for (std::int64_t i = 0; i < options_.delete_inserts; ++i) {
    const std::int64_t id = draw_id(session.random());
    const std::int64_t k = draw_id(session.random());
    const RandomText c(kTextC, session.random());
    const RandomText pad(kTextPad, session.random());
    session.add(id_of(Sql::delete_row), table, id);
    session.add(id_of(Sql::insert_row), table, id, k, c.view(), pad.view());
  }
}

std::int64_t OltpWorkload::plus(std::int64_t id, std::int64_t more) const {
  constexpr std::int64_t kInteger = std::numeric_limits<std::int32_t>::max();
  const std::int64_t most =
      options_.table_size <= kInteger ? kInteger : std::numeric_limits<std::int64_t>::max();
  return more > most - id ? most : id + more;
}

}  // namespace workloads::sysbench
