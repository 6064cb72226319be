#pragma once

#include <string>
#include <vector>

namespace pgload::report {

/// Rows of cells in aligned columns: the first to the left, all others to the right.
class Table {
 public:
  /// Columns are as wide as their longest cell, and at least this wide.
  Table(std::size_t min_first_width, std::size_t min_width)
      : min_first_width_(min_first_width), min_width_(min_width) {}

  /// `remark` follows the last column and has no width.
  void add_row(std::vector<std::string> cells, std::string remark = {});
  /// Every row with its line end.
  std::string text() const;

 private:
  struct Row {
    std::vector<std::string> cells;
    std::string remark;
  };
  std::vector<std::size_t> widths() const;

  std::size_t min_first_width_;
  std::size_t min_width_;
  std::vector<Row> rows_;
};

}  // namespace pgload::report
