#include "src/report/json_report.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "tests/unit/report/golden.hpp"
#include "tests/unit/report/sample_run.hpp"

namespace {

using nlohmann::json;
using pgload::report::json_report;
using namespace pgload::stats;
using namespace std::chrono_literals;

TEST_CASE("the document of a closed loop") {
  check_golden("point_select.json", json_report(sample::point_select()));
}

TEST_CASE("the document of a run with hosts, errors and statements") {
  check_golden("read_write.json", json_report(sample::read_write()));
}

TEST_CASE("the documents of an open loop that fell behind, and of a run that was stopped") {
  check_golden("overload.json", json_report(sample::overload()));
  RunResult stopped = sample::point_select();
  stopped.status = RunStatus::stopped;
  stopped.reason = "stopped by SIGINT";
  check_golden("stopped.json", json_report(stopped));
}

TEST_CASE("every promised key is there") {
  const json run = json::parse(json_report(sample::read_write()));
  for (const char* path : {"/schema",
                           "/workload/name",
                           "/workload/options",
                           "/sessions/requested",
                           "/sessions/open",
                           "/duration_s",
                           "/transactions/completed",
                           "/transactions/failed",
                           "/transactions/unfinished",
                           "/transactions/per_second",
                           "/transactions/retries",
                           "/transactions/unexpected",
                           "/queries/count",
                           "/queries/per_second",
                           "/latency_us/response",
                           "/latency_us/service/count",
                           "/latency_us/service/mean",
                           "/latency_us/service/min",
                           "/latency_us/service/p50",
                           "/latency_us/service/p90",
                           "/latency_us/service/p95",
                           "/latency_us/service/p99",
                           "/latency_us/service/p99_9",
                           "/latency_us/service/max",
                           "/kinds/0/name",
                           "/kinds/0/count",
                           "/kinds/0/latency_us/p99",
                           "/statements/0/name",
                           "/statements/0/count",
                           "/statements/0/latency_us/p99",
                           "/hosts/1/name",
                           "/hosts/1/count",
                           "/hosts/1/latency_us/p99",
                           "/outcome/status",
                           "/outcome/reason",
                           "/errors/0/class",
                           "/errors/0/sqlstate",
                           "/errors/0/statement",
                           "/errors/0/host",
                           "/errors/0/count",
                           "/errors/0/message",
                           "/server/version",
                           "/server/tls",
                           "/server/tls_version",
                           "/server/tls_cipher",
                           "/server/tls_verified",
                           "/client/cpu_user_s",
                           "/client/cpu_system_s",
                           "/client/max_rss_bytes",
                           "/client/io_threads",
                           "/intervals/0/start_s",
                           "/intervals/0/completed",
                           "/intervals/0/failed",
                           "/intervals/0/latency_us/p99",
                           "/intervals/1/drain",
                           "/seed"}) {
    CAPTURE(path);
    CHECK(run.contains(json::json_pointer(path)));
  }
  CHECK(run["schema"] == "pgload.run/1");
}

TEST_CASE("what does not exist is null") {
  const json run = json::parse(json_report(RunResult()));
  for (const char* key : {"mean", "min", "p50", "p99_9", "max"}) {
    CHECK(run["latency_us"]["service"][key].is_null());
  }
  CHECK(run["latency_us"]["service"]["count"] == 0);
  CHECK(run["latency_us"]["response"].is_null());
  CHECK(run["server"]["tls_version"].is_null());
  CHECK(run["server"]["tls_verified"].is_null());
  CHECK(run["outcome"]["reason"].is_null());
  CHECK(run["transactions"]["per_second"] == 0);
  CHECK(run["kinds"] == json::array());
  CHECK(run["errors"] == json::array());
  CHECK(run["workload"]["options"] == json::object());

  RunResult flights = sample::read_write();
  flights.statements[0].latency.reset();
  CHECK(json::parse(json_report(flights))["statements"][0]["latency_us"].is_null());
}

TEST_CASE("the document of 24 hours stays below 20 MB, however spread the latencies") {
  const IntervalSeries::Limits limits;
  std::mt19937 random(1);
  RunResult run = sample::overload();
  const IntervalResult usual = run.intervals[0];
  run.intervals.assign(limits.intervals, usual);
  for (IntervalResult& interval : run.intervals) {  // bytes that no compression makes shorter
    interval.service.counts.resize(limits.bytes / limits.intervals / 2);
    for (char& byte : interval.service.counts) byte = static_cast<char>(random());
    interval.response.counts = interval.service.counts;
  }
  CHECK(json_report(run).size() < 20'000'000);
}

TEST_CASE("numbers that JSON does not have are null") {
  RunResult run;
  run.duration_s = std::numeric_limits<double>::infinity();
  run.client.cpu_user_s = std::numeric_limits<double>::quiet_NaN();
  const json document = json::parse(json_report(run));
  CHECK(document["duration_s"].is_null());
  CHECK(document["client"]["cpu_user_s"].is_null());
}

TEST_CASE("an open loop has response times, those not ended marked") {
  RunResult run = sample::point_select();
  run.open_loop = true;
  run.kinds[0].response = run.kinds[0].service;
  run.kinds[0].response->record_at_least(2s);
  const json document = json::parse(json_report(run));
  CHECK(document["loop"] == "open");
  CHECK(document["latency_us"]["response"]["count"] == 1001);
  CHECK(document["latency_us"]["response"]["at_least"] == 1);
  CHECK(document["latency_us"]["response"]["max"] == 2e6);
  CHECK(document["kinds"][0]["response_latency_us"]["count"] == 1001);
}

TEST_CASE("more percentiles are added under keys without a point") {
  RunResult run = sample::point_select();
  run.percentiles = {0, 50, 99.99, 100};
  const json document = json::parse(json_report(run));
  const json service = document["latency_us"]["service"];
  CHECK(document["percentiles"] == run.percentiles);
  CHECK(service["p0"] == 100.031);  // the end of the bucket of 100 us
  CHECK(service["p99_99"] == 2098);
  CHECK(service["p100"] == 2098);
  CHECK(service.contains("p99_9"));
}

TEST_CASE("an error's text may be anything") {
  RunResult run;
  ErrorResult error = sample::deadlock();
  error.sqlstate = "";
  error.statement = "";
  error.message = std::string("\xE9t\xC3\xA9 \x1b \0 \xF0\x9F", 12) + std::string(1 << 20, '\xFF');
  run.errors = {error};
  run.notes = {"\xC0"};
  run.workload_options = {{"\xFE", "\xFF"}};
  const json document = json::parse(json_report(run));
  CHECK(document["errors"][0]["sqlstate"].is_null());
  CHECK(document["errors"][0]["statement"].is_null());
  const std::string message = document["errors"][0]["message"];
  CHECK(message.starts_with(std::string("\\xE9t\xC3\xA9 \x1b \0 \\xF0\\x9F", 17)));
  CHECK(message.size() > 4 << 20);
}

TEST_CASE("the largest counts stay exact") {
  RunResult run;
  run.seed = std::numeric_limits<std::uint64_t>::max();
  run.queries = (1ULL << 53) + 1;
  const std::string text = json_report(run);
  CHECK(text.find("\"seed\": 18446744073709551615") != std::string::npos);
  CHECK(text.find("\"count\": 9007199254740993") != std::string::npos);
}

}  // namespace
