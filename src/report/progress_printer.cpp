#include "src/report/progress_printer.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <ostream>
#include <utility>

namespace pgload::report {
namespace {

constexpr std::string_view kClearToEndOfLine = "\x1b[K";  // ECMA-48, "EL - Erase in Line"

}  // namespace

ProgressPrinter::ProgressPrinter(std::ostream& out, bool redraw, std::function<std::size_t()> columns)
    : out_(out), redraw_(redraw), columns_(std::move(columns)) {}

std::size_t ProgressPrinter::max_columns() const {
  const std::size_t columns = redraw_ && columns_ ? columns_() : 0;
  return columns > 1 ? columns - 1 : 0;
}

void ProgressPrinter::show(std::string_view line) {
  if (redraw_) {
    live_ = line;
    out_ << '\r' << live_ << kClearToEndOfLine << std::flush;
  } else {
    out_ << line << '\n' << std::flush;
  }
}

void ProgressPrinter::say(std::string_view sentence) {
  const std::string live = live_;
  clear();
  out_ << sentence << '\n' << std::flush;
  if (!live.empty()) {
    show(live);
  }
}

void ProgressPrinter::clear() {
  if (!live_.empty()) {
    out_ << '\r' << kClearToEndOfLine << std::flush;
    live_.clear();
  }
}

bool can_redraw(int fd) {
  const char* term = std::getenv("TERM");
  const char* no_color = std::getenv("NO_COLOR");
  const bool plain = no_color != nullptr && *no_color != '\0';
  return isatty(fd) == 1 && term != nullptr && std::string_view(term) != "dumb" && !plain;
}

std::size_t terminal_columns(int fd) {
  winsize size{};
  return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace pgload::report
