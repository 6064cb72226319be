#include "src/report/document_formats.hpp"

#include <stdexcept>

#include "src/report/interval_formats.hpp"
#include "src/report/json_report.hpp"
#include "src/report/text_report.hpp"

namespace pgload::report {
namespace {

using stats::LatencyHistogram;
using stats::RunResult;

LatencyHistogram unpacked(const stats::PackedHistogram& packed) {
  return stats::unpack(packed).value_or(LatencyHistogram());
}

std::string hlog(const RunResult& run) {
  std::string out = hlog_head(run.pgload_version, run.started_at);
  const bool one_kind = run.kinds.size() == 1;
  const std::string_view name = one_kind ? std::string_view(run.kinds[0].name) : "all";
  for (const stats::IntervalResult& interval : run.intervals) {
    const LatencyHistogram service = unpacked(interval.service), response = unpacked(interval.response);
    out += hlog_lines({interval, {{name, service, response}}, run.started_at, run.open_loop});
  }
  if (one_kind) {
    return out;
  }
  stats::IntervalResult whole;
  whole.length_s = run.duration_s + run.drain_s;
  const LatencyHistogram none;
  for (const stats::KindResult& kind : run.kinds) {
    const LatencyHistogram& response = kind.response ? *kind.response : none;
    out += hlog_lines({whole, {{kind.name, kind.service, response}}, run.started_at, run.open_loop});
  }
  return out;
}

std::string csv(const RunResult& run) {
  std::string out = csv_head();
  for (const stats::IntervalResult& interval : run.intervals) {
    out += csv_line(interval, run.open_loop);
  }
  return out;
}

std::string ndjson(const RunResult& run) {
  std::string out;
  for (const stats::IntervalResult& interval : run.intervals) {
    out += ndjson_line(interval, run.open_loop);
  }
  return out;
}

}  // namespace

std::string write_document(const RunResult& run, std::string_view format) {
  if (format == "text") {
    return text_report(run, run.percentiles);
  }
  if (format == "json") {
    return json_report(run);
  }
  if (format == "hlog") {
    return hlog(run);
  }
  if (format == "ndjson") {
    return ndjson(run);
  }
  if (format == "csv") {
    return csv(run);
  }
  throw std::invalid_argument("no format of a document: " + std::string(format));
}

}  // namespace pgload::report
