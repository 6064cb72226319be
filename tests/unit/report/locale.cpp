#include <doctest/doctest.h>

#include <clocale>
#include <locale>
#include <sstream>
#include <string>

#include "src/report/json_report.hpp"
#include "src/report/progress_line.hpp"
#include "src/report/text_report.hpp"
#include "tests/unit/report/sample_run.hpp"

namespace {

/// Numbers as German writes them, on machines without German locales too.
struct German : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

std::string everything() {
  const auto run = sample::read_write();
  return pgload::report::text_report(run) + pgload::report::json_report(run) +
         pgload::report::progress_line({.elapsed_s = 1234.5, .transactions_per_second = 1234.5});
}

TEST_CASE("reports are the same bytes in any locale") {
  const std::string expected = everything();
  const std::locale before = std::locale::global(std::locale(std::locale(), new German));
  const std::string c_before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"}) {  // whichever is installed
    if (std::setlocale(LC_ALL, name) != nullptr) {
      break;
    }
  }
  std::ostringstream probe;
  probe << 1234.5;
  const std::string found = everything();
  std::setlocale(LC_ALL, c_before.c_str());
  std::locale::global(before);
  CHECK(probe.str() == "1.234,5");
  CHECK(found == expected);
}

}  // namespace
