#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

namespace pgload::report {

/// A live line that is redrawn on a terminal; elsewhere each line stands for itself, without any escape code.
class ProgressPrinter {
 public:
  /// `columns` says how wide the terminal is now, 0 if unknown; it is only asked when redrawing.
  ProgressPrinter(std::ostream& out, bool redraw, std::function<std::size_t()> columns);
  ~ProgressPrinter() { clear(); }
  ProgressPrinter(const ProgressPrinter&) = delete;
  ProgressPrinter& operator=(const ProgressPrinter&) = delete;

  bool redraws() const { return redraw_; }
  /// How long a line may be: the last column stays free, or some terminals would wrap. 0: any length.
  std::size_t max_columns() const;

  /// Replaces the live line, or prints one more.
  void show(std::string_view line);
  /// A sentence that stays: above the live line.
  void say(std::string_view sentence);
  /// Takes the live line away, so that something else can be printed.
  void clear();

 private:
  std::ostream& out_;
  bool redraw_;
  std::function<std::size_t()> columns_;
  std::string live_;
};

/// Can `fd` redraw a line: a terminal that is not TERM=dumb, and NO_COLOR does not ask for plain text.
bool can_redraw(int fd);
/// Columns of the terminal `fd`; 0 if it does not say.
std::size_t terminal_columns(int fd);

}  // namespace pgload::report
