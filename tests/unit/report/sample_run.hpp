#pragma once

#include <chrono>

#include "src/stats/interval_series.hpp"
#include "src/stats/run_result.hpp"

namespace sample {

using namespace pgload::stats;
using namespace std::chrono_literals;

inline void record(LatencyHistogram& histogram, int n, std::chrono::nanoseconds first,
                   std::chrono::nanoseconds step) {
  for (int i = 0; i < n; ++i) {
    histogram.record(first + i * step);
  }
}

inline StatementResult statement(std::string name, int n, std::chrono::nanoseconds latency,
                                 bool control = false) {
  StatementResult result;
  result.sql = name + " sql";
  result.name = std::move(name);
  result.transaction_control = control;
  result.good = static_cast<std::uint64_t>(n);
  result.rows = control ? 0 : result.good;
  record(result.latency.emplace(), n, latency, 0ns);
  return result;
}

inline ErrorResult deadlock() {
  ErrorResult error;
  error.sqlstate = "40P01";
  error.statement = "index_update";
  error.host = "db1:5432";
  error.count = 31;
  error.retried = 31;
  error.first_s = 3.2;
  error.last_s = 58.1;
  error.message = "deadlock detected";
  return error;
}

/// Two workers, the second busier, and a client that adds 12 us.
inline SelfCheck self_check() {
  SelfCheck check;
  check.method = "kernel receive stamps";
  check.client_error.record(8us, 900);
  check.client_error.record(40us, 100);
  check.workers.resize(2);
  check.workers[1].cpu_s = 2.4;
  check.workers[1].run_queue_wait_s = 0.05;
  check.workers[1].seconds = 10;
  check.workers[1].busy_seconds = 0;
  check.workers[1].timer_lateness.record(60us, 190);
  check.workers[1].timer_lateness.record(1200us, 10);
  check.steal_ratio = 0.004;
  check.mean_busy_sessions = 127.8;
  check.little_busy_sessions = 107.8;
  return check;
}

/// A closed loop without trouble: one kind, one statement, one host.
inline RunResult point_select() {
  RunResult run;
  run.pgload_version = "0.1.0";
  run.workload = "oltp_point_select";
  run.workload_options = {{"tables", "1"}, {"table-size", "10000"}};
  run.protocol = "prepared";
  run.seed = 8'713'405;
  run.data_summary = "1 table x 10,000 rows (prepared)";
  run.key_summary = "keys uniform";
  run.started_at = "2025-01-31T12:00:00Z";
  run.sessions_requested = run.sessions_open = 128;
  run.duration_s = 10;
  run.drain_s = 0.012;
  run.transactions = {.arrivals = 1000,
                      .started = 1000,
                      .completed = 1000,
                      .completed_in_drain = 20,
                      .completed_in_window = 980,
                      .attempts = 1000};
  run.queries = 980;
  run.kinds.resize(1);
  run.kinds[0].name = "oltp_point_select";
  run.kinds[0].completed = 1000;
  record(run.kinds[0].service, 1000, 100us, 2us);
  run.statements = {statement("point_select", 1000, 1ms)};
  run.hosts.resize(1);
  run.hosts[0] = {
      .name = "127.0.0.1:5432", .sessions = 128, .completed = 1000, .service = run.kinds[0].service};
  run.intervals = {{.start_s = 0, .length_s = 10, .completed = 980, .busy_sessions = 128},
                   {.start_s = 10, .length_s = 0.012, .drain = true, .completed = 20}};
  LatencyHistogram in_window;
  record(in_window, 980, 100us, 2us);
  set_latencies(run.intervals[0], in_window, {});
  run.server.version = "15.18 (Debian 15.18-0+deb12u1)";
  run.server.where = "127.0.0.1:5432/bench";
  run.server.sslmode = "prefer";
  run.server.authentication = "scram-sha-256";
  run.client = {.cpu_user_s = 0.004,
                .cpu_system_s = 0.0056,
                .busiest_worker_cores = 0.24,
                .max_rss_bytes = 18'000'000,
                .io_threads = 2,
                .bytes_sent = 50'000,
                .bytes_received = 250'000,
                .round_trips = 1000,
                .messages_sent = 3000,
                .messages_received = 4000,
                .traffic_transactions = 1000};
  run.self_check = self_check();
  return run;
}

/// A transaction of several statements on two hosts over TLS, with retries, a failure and unfinished ones.
inline RunResult read_write() {
  RunResult run = point_select();
  run.workload = "oltp_read_write";
  run.warmup_s = 5;
  run.duration_s = 60;
  run.sessions_requested = 64;
  run.sessions_open = 63;
  run.transactions = {.arrivals = 88'994,
                      .started = 88'994,
                      .completed = 88'991,
                      .completed_in_drain = 64,
                      .completed_in_window = 88'927,
                      .failed = 1,
                      .unfinished = 2,
                      .attempts = 89'031,
                      .retries = 37,
                      .unexpected = 4};
  run.queries = 1'778'540;
  run.control_queries = 177'854;
  run.client.round_trips = 1'780'620;
  run.kinds[0].name = "oltp_read_write";
  run.kinds[0].completed = 88'991;
  run.kinds[0].failed = 1;
  run.kinds[0].retries = 37;
  run.kinds[0].service.reset();
  record(run.kinds[0].service, 88'991, 20ms, 500ns);
  run.kinds[0].service.record_at_least(10s);
  run.kinds[0].service.record_at_least(10s);
  run.kinds[0].failed_service.record(1520ms);
  run.statements = {statement("begin", 89'031, 300us, true), statement("point_select", 890'310, 1180us),
                    statement("index_update", 89'000, 1ms), statement("commit", 88'992, 14'200us, true)};
  run.statements[2].failed = 31;
  run.statements[3].latency.reset();
  run.hosts.resize(2);
  run.hosts[0] = {.name = "db1:5432",
                  .sessions = 32,
                  .completed = 50'000,
                  .failed = 1,
                  .connections_lost = 2,
                  .reconnects = 2};
  run.hosts[1] = {.name = "db2:5432", .sessions = 31, .completed = 38'991};
  record(run.hosts[0].service, 50'000, 20ms, 500ns);
  record(run.hosts[1].service, 38'991, 45ms, 500ns);
  run.server = {.version = "16.4",
                .where = "db1:5432/bench",
                .tls = true,
                .tls_version = "TLSv1.3",
                .tls_cipher = "TLS_AES_256_GCM_SHA384",
                .tls_verified = "chain and host",
                .sslmode = "verify-full",
                .authentication = "scram-sha-256-plus"};
  run.errors = {deadlock()};
  run.server_activity =
      ServerActivity{.commits = 96'123,
                     .rollbacks = 39,
                     .ours = 96'158,
                     .transactions = 89'031,
                     .blocks_read = 1'234,
                     .blocks_hit = 8'101'440,
                     .deadlocks = 31,
                     .temp_bytes = 1'200'000,
                     .wal_bytes = 98'765'432,
                     .wal_records = 712'248,
                     .wal_full_page_images = 410,
                     .checkpoints_timed = 1,
                     .checkpoints_requested = 2,
                     .autovacuum_runs = 3,
                     .waits = {{"Client", 1764}, {"CPU", 1134}, {"LWLock", 630}, {"IO", 252}},
                     .samples = 60,
                     .settings = {{"server_version", "16.4"}, {"fsync", "on"}}};
  run.notes = {"1 session could not be opened; 63 are enough (--min-sessions 60)"};
  return run;
}

/// An open loop that fell behind, with all that a document may hold.
inline RunResult overload() {
  RunResult run = read_write();
  run.open_loop = true;
  run.load = {.rate = "ramp 0..2000 over 30s, hold 30s",
              .arrivals = "poisson",
              .late_policy = "skip:2s",
              .think = "",
              .sessions = "",
              .mean_rate = 1500};
  run.configuration = {{"sessions", "64"}, {"rate", run.load.rate}, {"host", "db1,db2"}};
  run.percentiles = {50, 99.99};
  run.client_index = 2;
  run.client_count = 4;
  run.transactions.arrivals += 11;
  run.transactions.skipped = 4;
  run.transactions.queued = 7;
  run.kinds[0].response = run.kinds[0].service;
  for (HostResult& host : run.hosts) host.response = host.service;
  run.queue.emplace();
  record(*run.queue, 1000, 0ns, 1ms);
  run.queued_response.emplace();
  for (int i = 0; i < 7; ++i) run.queued_response->record_at_least(i * 100ms);
  for (IntervalResult& interval : run.intervals) {
    interval.arrivals = 1000;
    interval.skipped = 4;
    interval.queued = 7;
    set_latencies(interval, run.hosts[0].service, run.hosts[1].service);
  }
  run.self_check = {};
  run.self_check.method = "kernel receive stamps";
  record(run.self_check.client_error, 500, 8us, 10ns);
  record(run.self_check.dispatch_lag, 300, 20us, 1us);
  run.self_check.workers.resize(2);
  run.self_check.workers[0].cpu_s = 12.25;
  run.self_check.workers[1].seconds = 60;
  run.self_check.workers[1].busy_seconds = 25;
  record(run.self_check.workers[1].timer_lateness, 50, 50us, 1us);
  run.self_check.mean_busy_sessions = 61.5;
  run.self_check.all_busy_ratio = 0.042;
  run.verdicts = {{VerdictKind::client_bound, "worker 2 above 90 % busy in 41 % of the seconds", 0.41, 0.05},
                  {VerdictKind::rate_not_reached, "80 % of the arrivals", 0.8, 0.99}};
  ServerActivity& activity = run.server_activity.emplace();
  activity.commits = 88'995;
  activity.wal_bytes = 1ULL << 40;
  activity.waits = {{"CPU", 44}, {"Client", 29}};
  activity.samples = 60;
  activity.settings = {{"shared_buffers", "128MB"}, {"fsync", "on"}};
  run.client.messages_sent = 3'000'000;
  run.client.messages_received = 9'000'000;
  run.client.machine = {"bench1", "Linux 6.1.0", "EPYC", 16, 64ULL << 30, "GCC 12.2, release"};
  run.status = RunStatus::failed;
  run.reason = "more failed than --max-failed";
  return run;
}

}  // namespace sample
