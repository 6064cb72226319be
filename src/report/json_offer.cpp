#include "src/report/json_fields.hpp"

namespace pgload::report {
namespace {

using stats::RunStatus;

void load_fields(auto& archive, auto& load) {
  archive.text("rate", load.rate);
  archive.text("arrivals", load.arrivals);
  archive.text("late_policy", load.late_policy);
  archive.text("think", load.think);
  archive.text("sessions", load.sessions);
  archive.real("mean_rate", load.mean_rate, 6);
}

}  // namespace

template <class Archive, class Run>
void offer_fields(Archive& archive, Run& run) {
  archive.text("pgload_version", run.pgload_version);
  archive.text("started_at", run.started_at);
  archive.object("workload", [&](auto& workload) {
    workload.text("name", run.workload);
    workload.pairs("options", run.workload_options);
    workload.text("data", run.data_summary);
    workload.text("keys", run.key_summary);
  });
  archive.text("protocol", run.protocol);
  archive.count("pipeline", run.pipeline);
  archive.count("seed", run.seed);
  archive.choice("loop", run.open_loop, {{"closed", false}, {"open", true}});
  archive.object("load", [&](auto& inner) { load_fields(inner, run.load); });
  archive.object("sessions", [&](auto& sessions) {
    sessions.count("requested", run.sessions_requested);
    sessions.count("open", run.sessions_open);
  });
  archive.pairs("configuration", run.configuration);
  archive.numbers("percentiles", run.percentiles);
  archive.real("warmup_s", run.warmup_s, 9);
  archive.real("duration_s", run.duration_s, 9);
  archive.real("drain_s", run.drain_s, 9);
  archive.object("outcome", [&](auto& outcome) {
    outcome.choice(
        "status", run.status,
        {{"good", RunStatus::good}, {"failed", RunStatus::failed}, {"stopped", RunStatus::stopped}});
    outcome.text("reason", run.reason);
  });
}

PGLOAD_BOTH_DIRECTIONS(offer_fields);

}  // namespace pgload::report
