#include "src/report/json_report.hpp"

#include <algorithm>

#include "src/report/json_fields.hpp"

namespace pgload::report {

std::vector<double> json_percentiles(std::span<const double> asked) {
  std::vector<double> percentiles{50, 90, 95, 99, 99.9};
  percentiles.insert(percentiles.end(), asked.begin(), asked.end());
  std::ranges::sort(percentiles);
  percentiles.erase(std::ranges::unique(percentiles).begin(), percentiles.end());
  return percentiles;
}

std::string json_report(const stats::RunResult& run) {
  Json json{{"schema", kRunSchema}};
  const LatencyOptions latency{json_percentiles(run.percentiles), run.verdict_limits};
  JsonWriter writer(json, latency);
  offer_fields(writer, run);
  count_fields(writer, run);
  trust_fields(writer, run);
  row_fields(writer, run);
  party_fields(writer, run);
  interval_fields(writer, run);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace pgload::report
