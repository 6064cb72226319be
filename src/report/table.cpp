#include "src/report/table.hpp"

#include <algorithm>
#include <utility>

#include "src/report/escape.hpp"

namespace pgload::report {

void Table::add_row(std::vector<std::string> cells, std::string remark) {
  rows_.push_back({std::move(cells), std::move(remark)});
}

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> widths;
  for (const Row& row : rows_) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      if (i == widths.size()) {
        widths.push_back(i == 0 ? min_first_width_ : min_width_);
      }
      widths[i] = std::max(widths[i], display_width(row.cells[i]));
    }
  }
  return widths;
}

std::string Table::text() const {
  const std::vector<std::size_t> column_widths = widths();
  std::string out;
  for (const Row& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const std::string padding(column_widths[i] - display_width(row.cells[i]), ' ');
      line += i == 0 ? row.cells[i] + padding : "  " + padding + row.cells[i];
    }
    if (!row.remark.empty()) {
      line += "   " + row.remark;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

}  // namespace pgload::report
