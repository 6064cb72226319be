#include "workloads/sysbench/statements.hpp"

namespace workloads::sysbench {

namespace {

struct Text {
  std::string_view name;
  std::string_view sql;
};

constexpr Text text_of(Sql sql) {
  switch (sql) {
    case Sql::point_select:
      return {"point_select", "SELECT c FROM %t WHERE id=$1"};
    case Sql::simple_range:
      return {"simple_range", "SELECT c FROM %t WHERE id BETWEEN $1 AND $2"};
    case Sql::sum_range:
      return {"sum_range", "SELECT SUM(k) FROM %t WHERE id BETWEEN $1 AND $2"};
    case Sql::order_range:
      return {"order_range", "SELECT c FROM %t WHERE id BETWEEN $1 AND $2 ORDER BY c"};
    case Sql::distinct_range:
      return {"distinct_range", "SELECT DISTINCT c FROM %t WHERE id BETWEEN $1 AND $2 ORDER BY c"};
    case Sql::index_update:
      return {"index_update", "UPDATE %t SET k=k+1 WHERE id=$1"};
    case Sql::non_index_update:
      return {"non_index_update", "UPDATE %t SET c=$1 WHERE id=$2"};
    case Sql::delete_row:
      return {"delete", "DELETE FROM %t WHERE id=$1"};
    case Sql::insert_row:
      return {"insert", "INSERT INTO %t (id, k, c, pad) VALUES ($1, $2, $3, $4)"};
    case Sql::insert_without_id:
      return {"insert", "INSERT INTO %t (k, c, pad) VALUES ($1, $2, $3)"};
    case Sql::begin:
      return {"begin", "BEGIN"};
    case Sql::commit:
      return {"commit", "COMMIT"};
  }
  return {};
}

/// A row that another session deletes and inserts anew is missing for a moment: for readers only without a
/// transaction around both, for writers always, as they wait for it and then find it deleted.
api::ExpectedRows rows_of(Sql sql, const Options& options, bool rows_vanish) {
  const api::ExpectedRows one{1, 1};
  const api::ExpectedRows at_most_one{0, 1};
  switch (sql) {
    case Sql::point_select:
      return rows_vanish && options.skip_trx ? at_most_one : one;
    case Sql::index_update:
    case Sql::non_index_update:
    case Sql::delete_row:
      return rows_vanish ? at_most_one : one;
    case Sql::sum_range:
    case Sql::insert_row:
    case Sql::insert_without_id:
      return one;
    case Sql::simple_range:
    case Sql::order_range:
    case Sql::distinct_range:
      return {0, static_cast<std::uint64_t>(options.range_size)};
    case Sql::begin:
    case Sql::commit:
      break;
  }
  return {};
}

}  // namespace

std::string table_name(const Options& options, std::int64_t number) {
  const std::string& prefix = options.table_prefix;
  if (prefix.ends_with('!')) return prefix.substr(0, prefix.size() - 1);
  return prefix + std::to_string(number);
}

std::vector<std::string> for_each_table(const Options& options, std::string_view sql) {
  std::vector<std::string> texts;
  for (std::int64_t number = 1; number <= options.tables; ++number) {
    std::string text(sql);
    const std::string name = table_name(options, number);
    for (auto at = text.find("%t"); at != std::string::npos; at = text.find("%t", at + name.size()))
      text.replace(at, 2, name);
    texts.push_back(std::move(text));
  }
  return texts;
}

api::StatementSpec specification(Sql sql, const Options& options, bool rows_vanish) {
  const Text text = text_of(sql);
  api::StatementSpec spec;
  spec.name = text.name;
  spec.rows = rows_of(sql, options, rows_vanish);
  spec.transaction_control = sql == Sql::begin || sql == Sql::commit;
  if (spec.transaction_control) {
    spec.sql = {std::string(text.sql)};
  } else {
    spec.sql = for_each_table(options, text.sql);
  }
  return spec;
}

api::StatementSpec specification(std::string_view name, std::vector<std::string> sql,
                                 api::ExpectedRows rows) {
  api::StatementSpec spec;
  spec.name = name;
  spec.sql = std::move(sql);
  spec.rows = rows;
  return spec;
}

}  // namespace workloads::sysbench
