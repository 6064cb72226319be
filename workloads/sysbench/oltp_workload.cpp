#include "workloads/sysbench/oltp_workload.hpp"

#include <fmt/format.h>

#include "workloads/sysbench/oltp_tables.hpp"

namespace workloads::sysbench {

namespace {

/// 1234567 -> "1,234,567", whatever the locale.
std::string grouped(std::int64_t value) {
  std::string text = std::to_string(value);
  for (std::size_t end = text.size(); end > 3; end -= 3) text.insert(end - 3, 1, ',');
  return text;
}

}  // namespace

std::vector<api::OptionSpec> table_options() {
  api::OptionSpec tables;
  tables.name = "tables";
  tables.default_value = "1";
  tables.help = "number of tables (sbtest1, sbtest2 ...)";
  tables.min = 1;
  tables.max = 10'000;
  api::OptionSpec size;
  size.name = "table-size";
  size.default_value = "10000";
  size.help = "rows in each table";
  size.min = 1;
  return {tables, size};
}

OltpWorkload::OltpWorkload(const api::OptionValues& options)
    : tables_(options.integer("tables")),
      table_size_(options.integer("table-size")),
      tables_given_(options.given("tables")),
      table_size_given_(options.given("table-size")) {}

std::vector<api::TableSpec> OltpWorkload::tables() const {
  std::vector<api::TableSpec> list;
  for (std::int64_t number = 1; number <= tables_; ++number) list.push_back(oltp_table(number, table_size_));
  return list;
}

std::optional<api::TableFamily> OltpWorkload::family() const { return api::TableFamily{"sbtest", "id"}; }

void OltpWorkload::adopt(const api::FoundData& found) {
  if (found.tables == 0 || found.rows_per_table == 0) return;
  if (!tables_given_) tables_ = static_cast<std::int64_t>(found.tables);
  if (!table_size_given_) table_size_ = static_cast<std::int64_t>(found.rows_per_table);
  found_ = !tables_given_ || !table_size_given_;
}

std::string OltpWorkload::data_summary() const {
  return fmt::format("{} {} x {} rows{}", grouped(tables_), tables_ == 1 ? "table" : "tables",
                     grouped(table_size_), found_ ? " (found)" : "");
}

std::vector<std::string> OltpWorkload::for_each_table(std::string_view sql) const {
  std::vector<std::string> texts;
  for (std::int64_t number = 1; number <= tables_; ++number) {
    std::string text(sql);
    for (auto at = text.find("%t"); at != std::string::npos; at = text.find("%t", at))
      text.replace(at, 2, table_name(number));
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace workloads::sysbench
