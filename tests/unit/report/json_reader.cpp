#include "src/report/json_reader.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "src/report/json_report.hpp"
#include "tests/unit/report/sample_run.hpp"

namespace {

using namespace pgload::report;
using namespace pgload::stats;
using nlohmann::ordered_json;

RunResult back(const RunResult& run) { return read_json_report(json_report(run), "run.json"); }

std::string refusal(const std::string& text) {
  try {
    read_json_report(text, "run.json");
  } catch (const NoResultError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("a document that is read and written again is the same, byte for byte") {
  RunResult stopped = sample::read_write();
  stopped.status = RunStatus::stopped;
  stopped.reason = "stopped by SIGINT";
  stopped.duration_s = 59.123456789;
  stopped.closed_loop_estimate = {2.25, 1'520'000.5};
  RunResult odd;
  odd.duration_s = std::numeric_limits<double>::infinity();
  odd.seed = std::numeric_limits<std::uint64_t>::max();
  odd.errors = {sample::deadlock()};
  odd.errors[0].message = std::string("\xE9 \0 \x1b \\xE9", 10);
  odd.errors[0].first_s = -3.25;
  for (const RunResult& run :
       {RunResult(), sample::point_select(), sample::read_write(), sample::overload(), stopped, odd}) {
    const std::string text = json_report(run);
    CHECK(json_report(read_json_report(text, "run.json")) == text);
  }
}

TEST_CASE("what counts comes back exactly") {
  const RunResult run = sample::overload();
  const RunResult read = back(run);
  CHECK(read.check() == run.check());
  CHECK(read.transactions.completed == 88'991);
  CHECK(read.open_loop);
  CHECK(read.load.rate == run.load.rate);
  CHECK(read.configuration == run.configuration);
  CHECK(read.verdicts.size() == 2);
  CHECK(read.verdicts[1].kind == VerdictKind::rate_not_reached);
  CHECK(read.intervals[0].service == run.intervals[0].service);
  CHECK(read.intervals[1].queued == 7);
  CHECK(read.server_activity->waits == run.server_activity->waits);
  CHECK_FALSE(read.server_activity->rollbacks);
  const LatencyHistogram &ours = run.kinds[0].service, &theirs = read.kinds[0].service;
  CHECK(theirs.exact() == ours.exact());
  CHECK(theirs.at_least_count() == 2);
  CHECK(std::ranges::equal(theirs.counts(), ours.counts()));
  CHECK(read.self_check.workers[1].timer_lateness.count() == 50);
}

TEST_CASE("a document that is cut off is refused, wherever") {
  const std::string text = json_report(sample::point_select());
  for (std::size_t size = 0; size < text.size() - 2; size += 13) {
    CAPTURE(size);
    const std::string says = refusal(text.substr(0, size));
    CHECK(says.starts_with("run.json: "));
    CHECK(says.find("cut off") != std::string::npos);
    CHECK(says.find('\n') == std::string::npos);
  }
}

TEST_CASE("foreign documents are refused in one line") {
  CHECK(refusal("hello") == "run.json: not a JSON document (byte 1)");
  CHECK(refusal("1e999999") == "run.json: not a JSON document");
  for (const char* text : {"[]", "3", "{}", R"({"schema": 3})", R"({"schema": "k6/1"})"})
    CHECK(refusal(text) == "run.json: not a result that pgload wrote with --json");
  CHECK(refusal(R"({"schema": "pgload.run/2"})") ==
        "run.json: its schema is pgload.run/2, this pgload reads pgload.run/1: use the pgload that wrote it");
  CHECK(refusal(std::string(100'000, '[')).find("cut off") != std::string::npos);
}

/// Calls `visit` with the path of every value inside `json`, deepest first; of an array, whose elements are
/// alike, only with its first.
void for_each_place(ordered_json& json, const std::string& path,
                    const std::function<void(const std::string&)>& visit) {
  for (auto item = json.begin(); item != json.end(); ++item) {
    const std::string inner =
        path + '/' + (json.is_object() ? item.key() : std::to_string(item - json.begin()));
    if (item->is_structured()) for_each_place(*item, inner, visit);
    visit(inner);
    if (json.is_array()) return;
  }
}

TEST_CASE("a value of another type is refused by the name of its key") {
  const ordered_json good = ordered_json::parse(json_report(sample::overload()));
  ordered_json walk = good;
  int refused = 0;
  for_each_place(walk, "", [&](const std::string& path) {
    ordered_json bad = good;
    bad[ordered_json::json_pointer(path)] = ordered_json::array({ordered_json::object()});
    const std::string says = refusal(bad.dump());
    CHECK(says.find('\n') == std::string::npos);
    refused += !says.empty();
  });
  CHECK(refused > 250);  // all but what is derived from the rest

  ordered_json bad = good;
  bad["kinds"][0]["count"] = -1;
  CHECK(refusal(bad.dump()) == "run.json: not as pgload writes results: kinds[0].count is no count");
  bad = good;
  bad["hosts"][1].erase("name");
  CHECK(refusal(bad.dump()) == "run.json: not as pgload writes results: hosts[1].name is missing");
  bad = good;
  bad["sessions"]["open"] = 1ULL << 40;
  CHECK(refusal(bad.dump()) == "run.json: not as pgload writes results: sessions.open is too large");
  bad = good;
  bad["kinds"][0]["latency_us"]["max_ns"] = 5;
  CHECK(refusal(bad.dump()) ==
        "run.json: not as pgload writes results: kinds[0].latency_us.hdr contradicts the values beside it");
}

TEST_CASE("a file that cannot be read is named with the reason") {
  try {
    read_json_file("/nonexistent/run.json");
    FAIL("it was read");
  } catch (const NoResultError& error) {
    CHECK(std::string(error.what()) == "cannot read /nonexistent/run.json: No such file or directory");
  }
  CHECK_THROWS_AS(read_json_file("/"), NoResultError);
}

}  // namespace
