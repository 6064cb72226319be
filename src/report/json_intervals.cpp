#include "src/report/interval_formats.hpp"
#include "src/report/json_fields.hpp"

namespace pgload::report {
namespace {

void service_fields(auto& archive, auto& interval) {
  archive.count("count", interval.count);
  archive.real("mean", interval.mean_us, 3);
  archive.real("p50", interval.p50_us, 3);
  archive.real("p95", interval.p95_us, 3);
  archive.real("p99", interval.p99_us, 3);
  archive.real("max", interval.max_us, 3);
  archive.packed(interval.service);
}

void response_fields(auto& archive, auto& interval) {
  archive.real("p50", interval.response_p50_us, 3);
  archive.real("p95", interval.response_p95_us, 3);
  archive.real("p99", interval.response_p99_us, 3);
  archive.real("max", interval.response_max_us, 3);
  archive.packed(interval.response);
}

void fields_of(auto& archive, auto& interval, bool open_loop) {
  archive.real("start_s", interval.start_s, 9);
  archive.real("length_s", interval.length_s, 9);
  archive.flag("drain", interval.drain);
  archive.count("completed", interval.completed);
  archive.count("failed", interval.failed);
  archive.count("busy_sessions", interval.busy_sessions);
  archive.count_if(open_loop, "arrivals", interval.arrivals);
  archive.count_if(open_loop, "skipped", interval.skipped);
  archive.count_if(open_loop, "queued", interval.queued);
  archive.object_if(interval.count > 0, "latency_us", [&](auto& inner) { service_fields(inner, interval); });
  archive.object_if(interval.response_max_us.has_value(), "response_latency_us",
                    [&](auto& inner) { response_fields(inner, interval); });
}

}  // namespace

std::string ndjson_line(const stats::IntervalResult& interval, bool open_loop) {
  Json json = Json::object();
  const LatencyOptions none;
  JsonWriter writer(json, none);
  fields_of(writer, interval, open_loop);
  return json.dump() + '\n';
}

template <class Archive, class Run>
void interval_fields(Archive& archive, Run& run) {
  archive.list("intervals", run.intervals,
               [&](auto& inner, auto& interval) { fields_of(inner, interval, run.open_loop); });
}

PGLOAD_BOTH_DIRECTIONS(interval_fields);

}  // namespace pgload::report
