#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/api/session.hpp"
#include "workloads/api/workload.hpp"

namespace workloads::sysbench {

/// --tables and --table-size: every workload of the family has them first.
std::vector<api::OptionSpec> table_options();

/// What the workloads of the family share: the tables sbtest1, sbtest2 … and how keys are drawn from them.
class OltpWorkload : public api::Workload {
 public:
  explicit OltpWorkload(const api::OptionValues& options);

  std::vector<api::TableSpec> tables() const override;
  std::optional<api::TableFamily> family() const override;
  void adopt(const api::FoundData& found) override;
  std::string data_summary() const override;
  std::string key_summary() const override { return "keys uniform"; }

 protected:
  /// One text per table: every "%t" of `sql` becomes the table's name.
  std::vector<std::string> for_each_table(std::string_view sql) const;

  /// Index of a table among the variants of a statement.
  std::size_t draw_table(random::Generator& random) const {
    return static_cast<std::size_t>(random.between(1, tables_)) - 1;
  }
  std::int64_t draw_id(random::Generator& random) const { return random.between(1, table_size_); }

 private:
  std::int64_t tables_;
  std::int64_t table_size_;
  bool tables_given_;
  bool table_size_given_;
  bool found_ = false;
};

}  // namespace workloads::sysbench
