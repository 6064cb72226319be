#include "src/report/interval_formats.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "src/report/document_formats.hpp"
#include "src/report/hdr_encoding.hpp"
#include "tests/unit/report/sample_run.hpp"

namespace {

using namespace pgload::report;
using namespace pgload::stats;
using namespace std::chrono_literals;

IntervalResult interval() {
  IntervalResult result;
  result.start_s = 3;
  result.completed = 2;
  result.failed = 1;
  result.busy_sessions = 16;
  LatencyHistogram service;
  service.record(1ms);
  service.record(2500us);
  set_latencies(result, service, {});
  return result;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    REQUIRE(end != std::string::npos);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

TEST_CASE("a line of CSV has a cell for each column, empty for what does not exist") {
  const std::string head = csv_head();
  CHECK(csv_line(interval(), false) == "3,1,0,2,1,2,16,,,,1750,1000.447,2500,2500,2500,,,,\n");
  IntervalResult open = interval();
  open.arrivals = 7;
  open.drain = true;
  open.length_s = 0;
  LatencyHistogram response;
  response.record(9ms);
  set_latencies(open, {}, response);
  CHECK(csv_line(open, true) == "3,0,1,2,1,,16,7,0,0,,,,,,9000,9000,9000,9000\n");
  const auto cells = [](const std::string& line) { return std::ranges::count(line, ','); };
  CHECK(cells(head) == cells(csv_line(open, true)));
  CHECK(cells(head) == cells(csv_line(interval(), false)));
}

TEST_CASE("a line of ndjson is one of the document's intervals") {
  const std::string line = ndjson_line(interval(), false);
  CHECK(std::ranges::count(line, '\n') == 1);
  const auto json = nlohmann::json::parse(line);
  CHECK(json["start_s"] == 3);
  CHECK(json["arrivals"].is_null());
  CHECK(json["latency_us"]["max"] == 2500);
  CHECK(json["latency_us"]["max_ns"] == 2'500'000);
}

TEST_CASE("a histogram log says its units and has a line for each histogram that is not empty") {
  const std::string head = hlog_head("0.1.0", "2025-01-31T12:00:00.250000Z");
  CHECK(head.find("#[StartTime: 1738324800.250 (seconds since epoch), 2025-01-31T12:00:00.250000Z]\n") !=
        std::string::npos);
  CHECK(head.find("latencies in ns. Interval_Max: in ms") != std::string::npos);

  LatencyHistogram service, none;
  service.record(2500us);
  const IntervalResult summary = interval();
  const FinishedInterval finished{
      summary, {{"new, order", service, none}, {"READ", service, service}, {"idle", none, none}}, "", false};
  const auto lines = lines_of(hlog_lines(finished));
  REQUIRE(lines.size() == 3);
  CHECK(lines[0] == "Tag=new__order.service,3.000,1.000,2.500," + hdr_base64(pack(service)));
  CHECK(lines[1].starts_with("Tag=READ.service,3.000,1.000,2.500,HISTFAAA"));
  CHECK(lines[2].starts_with("Tag=READ.response,3.000,1.000,2.500,HISTFAAA"));
}

TEST_CASE("a document is written in every format") {
  const RunResult run = sample::overload();
  for (const auto format : kDocumentFormats) CHECK_FALSE(write_document(run, format).empty());
  CHECK(lines_of(write_document(run, "csv")).size() == 3);
  CHECK(lines_of(write_document(run, "ndjson")).size() == 2);
  const std::string log = write_document(run, "hlog");
  CHECK(log.find("\nTag=oltp_read_write.service,0.000,") != std::string::npos);
  CHECK(log.find("\nTag=oltp_read_write.response,10.000,") != std::string::npos);

  RunResult kinds = run;
  kinds.kinds.push_back(run.kinds[0]);
  kinds.kinds[1].name = "other";
  const std::string both = write_document(kinds, "hlog");
  CHECK(both.find("\nTag=all.service,0.000,") != std::string::npos);
  CHECK(both.find("\nTag=other.response,0.000,60.012,") != std::string::npos);
}

}  // namespace
