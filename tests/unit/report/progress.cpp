#include <doctest/doctest.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <sstream>
#include <string>

#include "src/report/progress_line.hpp"
#include "src/report/progress_printer.hpp"

namespace {

using namespace pgload::report;
using pgload::stats::Progress;

Progress running() {
  Progress progress;
  progress.elapsed_s = 12;
  progress.left_s = 48;
  progress.transactions_per_second = 1486.2;
  progress.queries_per_second = 29'720;
  progress.p50_us = 41'200;
  progress.p95_us = 62'500;
  progress.p99_us = 87'900;
  progress.max_us = 141'000;
  progress.busy = progress.open = progress.requested = 64;
  progress.retried = 1;
  return progress;
}

TEST_CASE("the live line") {
  CHECK(progress_line(running()) ==
        "  12.0 s  1,486 tps  29,720 qps  latency ms p50 41.2  p95 62.5  p99 87.9  max 141  busy 64/64  "
        "retried 1  "
        "failed 0  48 s left");
}

TEST_CASE("the live line of an open loop, with its backlog and a silence") {
  Progress progress = running();
  progress.transactions_per_second = 0;
  progress.p50_us = progress.p99_us = progress.max_us = std::nullopt;
  progress.open_loop = Progress::OpenLoop{4987, 8913, 1.8, 60.0, 0};
  progress.silent_s = 1.8;
  CHECK(progress_line(progress) ==
        "  12.0 s  arrived 4,987/s  done 0/s  response ms p50 -  p99 -  max -  queued 8,913  busy 64/64  "
        "lag ms p99 0.0600  failed 0  oldest 1.80 s  SILENT 1.80 s  48 s left");
  progress.open_loop->queued = 0;
  progress.open_loop->skipped = 12;
  progress.silent_s = 0.9;
  CHECK(progress_line(progress).ends_with("failed 0  skipped 12  48 s left"));
}

TEST_CASE("phases are named") {
  Progress progress = running();
  progress.phase = Progress::Phase::warmup;
  CHECK(progress_line(progress).starts_with("  warm-up 12.0 s  1,486 tps"));
  progress.phase = Progress::Phase::drain;
  CHECK(progress_line(progress).starts_with("  draining 12.0 s  1,486 tps"));
  CHECK(progress_line(progress).find("left") == std::string::npos);
  progress.phase = Progress::Phase::connect;
  progress.elapsed_s = 0.42;
  progress.open = 60;
  progress.requested = 1280;
  CHECK(progress_line(progress) == "  connecting 60/1,280  0.4 s");
}

TEST_CASE("nothing to say is a dash, an unknown end is left out, missing sessions are shown") {
  Progress progress;
  progress.left_s = -1;
  progress.open = 60;
  progress.requested = 64;
  CHECK(progress_line(progress) ==
        "  0.0 s  0 tps  0 qps  latency ms p50 -  p95 -  p99 -  max -  busy 0/60  retried 0  failed 0  open "
        "60/64");
}

TEST_CASE("a narrow terminal sees the important part") {
  const std::string full = progress_line(running());
  CHECK(progress_line(running(), full.size()) == full);
  CHECK(progress_line(running(), full.size() - 1).find("retried") == std::string::npos);
  CHECK(progress_line(running(), 79) ==
        "  12.0 s  1,486 tps  latency ms p50 41.2  p99 87.9  failed 0  48 s left");
  CHECK(progress_line(running(), 40) == "  12.0 s  1,486 tps  latency ms p50 41.2");
  CHECK(progress_line(running(), 5) == "  12.");
  for (std::size_t columns = 1; columns < full.size(); ++columns) {
    CHECK(progress_line(running(), columns).size() <= columns);
  }
}

TEST_CASE("on a terminal the line is redrawn in place") {
  std::ostringstream out;
  {
    ProgressPrinter printer(out, true, [] { return std::size_t{80}; });
    CHECK(printer.max_columns() == 79);
    printer.show("one");
    printer.show("two");
    printer.say("lost db1");
    printer.clear();
    printer.clear();
    printer.show("three");
  }
  CHECK(out.str() ==
        "\rone\x1b[K\rtwo\x1b[K"
        "\r\x1b[Klost db1\n\rtwo\x1b[K"
        "\r\x1b[K"
        "\rthree\x1b[K\r\x1b[K");
}

TEST_CASE("elsewhere every line is plain and stays") {
  std::ostringstream out;
  {
    ProgressPrinter printer(out, false, [] { return std::size_t{80}; });
    CHECK(printer.max_columns() == 0);
    printer.show("one");
    printer.say("lost db1");
    printer.show("two");
    printer.clear();
  }
  CHECK(out.str() == "one\nlost db1\ntwo\n");
}

TEST_CASE("only a real terminal that wants it is redrawn") {
  const int file = open("/dev/null", O_RDWR);
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  REQUIRE(file >= 0);
  setenv("TERM", "xterm", 1);
  unsetenv("NO_COLOR");
  CHECK_FALSE(can_redraw(file));
  CHECK(terminal_columns(file) == 0);
  if (terminal >= 0) {  // a container without /dev/ptmx has none to offer
    CHECK(can_redraw(terminal));
    setenv("NO_COLOR", "1", 1);
    CHECK_FALSE(can_redraw(terminal));
    setenv("NO_COLOR", "", 1);
    CHECK(can_redraw(terminal));
    setenv("TERM", "dumb", 1);
    CHECK_FALSE(can_redraw(terminal));
    unsetenv("TERM");
    CHECK_FALSE(can_redraw(terminal));
    close(terminal);
  }
  close(file);
}

}  // namespace
