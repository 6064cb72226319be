#include "src/report/sweep_report.hpp"

#include <doctest/doctest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/unit/report/sample_run.hpp"

namespace {

using namespace pgload::report;
using namespace pgload::stats;

bool has(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

/// Three steps of 8, 16 and 32 sessions; the second has the most throughput.
std::array<RunResult, 3> steps() {
  std::array<RunResult, 3> list{sample::point_select(), sample::point_select(), sample::point_select()};
  for (std::size_t i = 0; i < list.size(); ++i) list[i].sessions_requested = 8U << i;
  list[1].transactions.completed_in_window *= 2;
  return list;
}

TEST_CASE("a row for each step, and where it stops growing") {
  const auto list = steps();
  const std::string text = sweep_table(list, "sessions", std::array{50.0, 99.0});
  CHECK(text.starts_with("sessions"));
  CHECK(has(text, "\n32 "));
  CHECK(has(text, "throughput stops growing at sessions 16: "));
}

TEST_CASE("percentiles of too few samples are marked, and the mark is explained") {
  const auto list = steps();
  const std::string text = sweep_table(list, "sessions", std::array{50.0, 99.99});
  CHECK(has(text, " ~"));
  CHECK(has(text, "~ fewer than 10 values lie beyond it"));
  CHECK_FALSE(has(sweep_table(list, "sessions", std::array{50.0}), "~"));
}

TEST_CASE("a step that failed says why") {
  auto list = steps();
  list[2].status = RunStatus::failed;
  list[2].reason = "no transaction completed";
  CHECK(has(sweep_table(list, "sessions", std::array{50.0}), "no transaction completed\n"));
}

TEST_CASE("the document holds each step as a run") {
  const auto json = nlohmann::json::parse(sweep_json(steps(), "sessions"));
  CHECK(json["schema"] == "pgload.sweep/1");
  CHECK(json["saturation_step"] == 1);
  REQUIRE(json["steps"].size() == 3);
  CHECK(json["steps"][2]["schema"] == "pgload.run/1");
}

}  // namespace
