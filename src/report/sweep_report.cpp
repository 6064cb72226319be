#include "src/report/sweep_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "src/report/escape.hpp"
#include "src/report/format.hpp"
#include "src/report/json_report.hpp"
#include "src/report/table.hpp"
#include "src/report/text_verdict.hpp"
#include "src/stats/sweep.hpp"

namespace pgload::report {
namespace {

using stats::RunResult;

std::string verdict_of(const RunResult& step) {
  if (step.status != stats::RunStatus::good) return visible(step.reason);
  std::string text;
  for (const stats::Verdict& verdict : step.verdicts) {
    const std::string kind = to_string(verdict.kind);
    if (text.find(kind) == std::string::npos) text += (text.empty() ? "" : ", ") + kind;
  }
  return text.empty() ? "valid" : text;
}

std::string offered_of(const RunResult& step, std::string_view offered) {
  return offered == "rate" ? visible(step.load.rate) : grouped(step.sessions_requested);
}

}  // namespace

std::string sweep_table(std::span<const RunResult> steps, std::string_view offered,
                        std::span<const double> percentiles) {
  constexpr std::size_t kNameWidth = 8, kNumberWidth = 8;
  Table table(kNameWidth, kNumberWidth);
  std::vector<std::string> head{std::string(offered), "tps", "mean"};
  for (const double p : percentiles) head.push_back(percentile_name(p));
  head.insert(head.end(), {"max", "busy", "failed"});
  table.add_row(std::move(head),
                offered == "rate" ? "response ms; busy sessions" : "latency ms; busy sessions");
  for (const RunResult& step : steps) {
    const stats::LatencyHistogram latency = step.response().value_or(step.service());
    const auto mean = latency.mean_ns();
    std::vector<std::string> cells{offered_of(step, offered), rate(step.transactions_per_second()),
                                   mean ? significant(*mean / 1e6) : std::string(kNothing)};
    for (const double p : percentiles) cells.push_back(marked_percentile(latency, p, step.verdict_limits));
    cells.push_back(milliseconds(latency.max()));
    cells.push_back(significant(step.self_check.mean_busy_sessions));
    cells.push_back(grouped(step.transactions.failed));
    table.add_row(std::move(cells), verdict_of(step));
  }
  const RunResult& best = steps[stats::saturation_step(steps)];
  const bool still_growing = &best == &steps.back();
  const std::string text = table.text();
  return text + mark_line(text, steps.front().verdict_limits) +
         fmt::format("throughput {} {} {}: {} transactions/s\n",
                     still_growing ? "grows up to the last step," : "stops growing at", offered,
                     offered_of(best, offered), rate(best.transactions_per_second()));
}

std::string sweep_json(std::span<const RunResult> steps, std::string_view offered) {
  nlohmann::ordered_json json{{"schema", kSweepSchema},
                              {"offered", offered},
                              {"saturation_step", stats::saturation_step(steps)},
                              {"steps", nlohmann::ordered_json::array()}};
  for (const RunResult& step : steps)
    json["steps"].push_back(nlohmann::ordered_json::parse(json_report(step)));
  return json.dump(2) + '\n';
}

}  // namespace pgload::report
