#include "src/report/text_report.hpp"

#include <doctest/doctest.h>

#include <string>

#include "src/stats/verdict.hpp"
#include "tests/unit/report/golden.hpp"
#include "tests/unit/report/sample_run.hpp"

namespace {

using pgload::report::text_report;
using namespace pgload::stats;
using namespace std::chrono_literals;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The lines that begin with `label` or, after such a line, with spaces.
std::string section(const std::string& text, const std::string& label) {
  const std::size_t begin = text.find("\n" + label);
  if (begin == std::string::npos) {
    return "";
  }
  std::size_t end = text.find('\n', begin + 1);
  while (end + 1 < text.size() && text[end + 1] == ' ') {
    end = text.find('\n', end + 1);
  }
  return text.substr(begin + 1, end - begin);
}

RunResult judged(RunResult run) {
  run.percentiles.assign(pgload::report::kDefaultPercentiles.begin(),
                         pgload::report::kDefaultPercentiles.end());
  set_verdicts(run);
  return run;
}

TEST_CASE("a run of one statement: one line of latencies") {
  check_golden("point_select.txt", text_report(judged(sample::point_select())));
}

TEST_CASE("a run of several statements, hosts and errors") {
  check_golden("read_write.txt", text_report(judged(sample::read_write())));
}

TEST_CASE("an empty run has dashes where there is nothing to say") {
  RunResult run;
  run.workload = "nothing";
  run.protocol = "simple";
  run.status = RunStatus::failed;
  run.reason = "nothing completed";
  check_golden("empty.txt", text_report(judged(run)));
}

TEST_CASE("an open loop shows arrivals, response, queue and service time") {
  RunResult run = sample::point_select();
  run.open_loop = true;
  run.load.rate = "100";
  run.load.arrivals = "poisson";
  run.load.mean_rate = 101;
  run.transactions.arrivals = 1010;
  run.transactions.skipped = 7;
  run.transactions.queued = 3;
  run.kinds[0].response = run.kinds[0].service;
  run.queued_response.emplace().record_at_least(2s, 3);
  run.queue.emplace().record(1ms, 1000);
  const std::string text = text_report(run);
  INFO(text);
  CHECK(contains(text, "oltp_point_select, open loop at 100/s, 128 sessions"));
  CHECK(contains(text,
                 "arrivals    101.0/s poisson: 1,010 planned = 1,000 started + 7 skipped + 3 queued; "
                 "completed 1,000\n"));
  CHECK(contains(text,
                 "response        1.10    1.10    2.00    2.08  ~2,000   2,000   from the planned start"));
  CHECK(contains(text, "what users feel; 3 not ended: at least this old\n"));
  CHECK(contains(
      text, "  queue         1.00    1.00    1.00    1.00   ~1.00    1.00   waiting for a free session\n"));
  CHECK(contains(text, "  service       1.10    1.10    2.00    2.08   ~2.10    2.10   from dispatch"));
}

TEST_CASE("a closed loop says what it hid, if it is worth a word") {
  RunResult run = sample::point_select();
  run.closed_loop_estimate = {2.003, 1'904'000};
  CHECK(contains(text_report(run),
                 "hidden      nothing ended for 2.00 s; a fixed rate would have shown a p99 of about 1,904 "
                 "ms (estimate; measure it with --rate)\n"));
  run.closed_loop_estimate->longest_silence_s = 0.05;
  CHECK_FALSE(contains(text_report(run), "hidden"));
}

TEST_CASE("think time and a profile of sessions stand in the first line") {
  RunResult run = sample::point_select();
  run.load.think = "exp:100ms";
  run.load.sessions = "ramp 0..64 over 10s";
  CHECK(text_report(run).starts_with(
      "oltp_point_select, closed loop thinking exp:100ms, sessions ramp 0..64 over 10s, 10.0 s"));
}

TEST_CASE("a pipeline says where its latency begins") {
  RunResult run = sample::point_select();
  run.pipeline = 16;
  const std::string text = text_report(run);
  INFO(text);
  CHECK(contains(text, "prepared, 16 transactions in one write"));
  CHECK(contains(text, "from the send of its batch of 16\n"));
}

TEST_CASE("several kinds have a row each") {
  RunResult run = sample::point_select();
  run.kinds.resize(2);
  run.kinds[0].name = "READ";
  run.kinds[0].completed = 750;
  run.kinds[1].name = "UPDATE";
  run.kinds[1].completed = 250;
  sample::record(run.kinds[1].service, 250, 4ms, 0ns);
  const std::string text = text_report(run);
  INFO(text);
  CHECK(contains(text, "latency ms      n/tx   share    mean"));
  CHECK(contains(text, "\n  READ         0.750     52%    1.10"));
  CHECK(contains(text, "\n  UPDATE       0.250     48%    4.00"));
}

TEST_CASE("chosen percentiles are the columns; of nothing they are dashes") {
  const double percentiles[] = {0, 50, 99.99, 100};
  RunResult run = sample::point_select();
  CHECK(contains(text_report(run, percentiles),
                 "latency ms      mean      p0     p50  p99.99    p100     max\n"));
  run.kinds[0].service.reset();
  CHECK(contains(text_report(run, percentiles),
                 "transaction        -       -       -       -       -       -\n"));
}

TEST_CASE("what a server sends can't reach the terminal as a command, nor fill the screen") {
  RunResult run = sample::point_select();
  ErrorResult error;
  error.host = "db1:5432";
  error.statement = "point_select";
  error.count = 1;
  error.first_s = error.last_s = 0.25;
  error.message = "bad \x1b[31m\xE9\n" + std::string(1 << 20, 'x');
  run.errors = {error};
  const std::string line = section(text_report(run), "errors");
  CHECK(line.starts_with("errors      (none) point_select@db1:5432 1, at 0.2 s: bad \\x1b[31m\\xE9\\nxxx"));
  CHECK(line.ends_with("x... [1,048,587 bytes]\n"));
  CHECK(line.size() < 300);
}

TEST_CASE("errors: most frequent first, classes named, not more than ten lines") {
  RunResult run = sample::point_select();
  ErrorResult lost = sample::deadlock();
  lost.error_class = ErrorClass::lost;
  lost.sqlstate = "";
  lost.count = 100;
  lost.retried = 3;
  lost.message = "connection closed by the server";
  ErrorResult refused = lost;
  refused.error_class = ErrorClass::connect;
  refused.sqlstate = "53300";
  refused.statement = "";
  refused.count = 40;
  refused.retried = 0;
  refused.message = "sorry, too many clients already";
  run.errors = {sample::deadlock(), refused, lost};
  CHECK(section(text_report(run), "errors") ==
        "errors      lost index_update@db1:5432 100, 3 retried, 3.2 .. 58.1 s: connection closed by the "
        "server\n"
        "            connect 53300 db1:5432 40, 3.2 .. 58.1 s: sorry, too many clients already\n"
        "            40P01 index_update@db1:5432 31, all retried, 3.2 .. 58.1 s: deadlock detected\n");
  run.errors.resize(12, sample::deadlock());
  const std::string many = section(text_report(run), "errors");
  CHECK(many.ends_with("            62 errors of 2 other sorts (all of them: --json)\n"));
}

TEST_CASE("a run that did not go well says why first") {
  RunResult run = sample::point_select();
  run.status = RunStatus::stopped;
  run.reason = "interrupted (SIGINT) after 3.2 s";
  CHECK(contains(text_report(run),
                 "\noutcome     STOPPED: interrupted (SIGINT) after 3.2 s\n            1,000 completed"));
}

}  // namespace
