#include "src/report/json_fields.hpp"

namespace pgload::report {

template <class Archive, class Run>
void count_fields(Archive& archive, Run& run) {
  archive.object("transactions", [&](auto& inner) {
    auto& tx = run.transactions;
    inner.count("arrivals", tx.arrivals);
    inner.count("started", tx.started);
    inner.count("skipped", tx.skipped);
    inner.count("queued", tx.queued);
    inner.count("completed", tx.completed);
    inner.count("completed_in_window", tx.completed_in_window);
    inner.count("completed_in_drain", tx.completed_in_drain);
    inner.count("completed_from_warmup", tx.completed_from_warmup);
    inner.count("failed", tx.failed);
    inner.count("unfinished", tx.unfinished);
    inner.count("attempts", tx.attempts);
    inner.count("retries", tx.retries);
    inner.count("unexpected", tx.unexpected);
    inner.derived("per_second", json_number(run.transactions_per_second(), 3));
  });
  archive.object("queries", [&](auto& inner) {
    inner.count("count", run.queries);
    inner.derived("per_second", json_number(run.queries_per_second(), 3));
    inner.count("control_count", run.control_queries);
    inner.derived("control_per_second", json_number(run.control_queries_per_second(), 3));
  });
  archive.object("latency_us", [&](auto& inner) {
    inner.derived_latency("response", [&] { return run.response(); });
    inner.latency("queue", run.queue);
    inner.latency("queued_response", run.queued_response);
    inner.derived_latency("service", [&] { return run.service(); });
  });
}

PGLOAD_BOTH_DIRECTIONS(count_fields);

}  // namespace pgload::report
