#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/stats/latency_histogram.hpp"
#include "src/stats/packed_histogram.hpp"
#include "src/stats/self_check.hpp"
#include "src/stats/server_activity.hpp"

namespace pgload::stats {

/// Counts of the measured window by the words of the README. See RunResult::check for the identities.
struct TransactionCounts {
  std::uint64_t arrivals = 0;
  std::uint64_t started = 0;
  std::uint64_t skipped = 0;
  std::uint64_t queued = 0;              ///< arrived, never started, not skipped
  std::uint64_t completed = 0;           ///< good, the drain included
  std::uint64_t completed_in_drain = 0;  ///< whatever their arrival
  std::uint64_t completed_from_warmup =
      0;  ///< arrived in the warm-up, completed after it: not in `completed`
  /// Whatever their arrival (warm-up too): the throughput's numerator.
  std::uint64_t completed_in_window = 0;
  std::uint64_t failed = 0;
  std::uint64_t unfinished = 0;
  std::uint64_t attempts = 0;
  std::uint64_t retries = 0;
  std::uint64_t unexpected = 0;  ///< transactions with a statement whose row count is not what it declared
};

/// A transaction kind. Histograms: good and failed apart; `response` only with a rate (open loop).
struct KindResult {
  std::string name;
  std::uint64_t completed = 0;
  std::uint64_t failed = 0;
  std::uint64_t retries = 0;
  LatencyHistogram service;
  std::optional<LatencyHistogram> response;
  LatencyHistogram failed_service;
};

struct StatementResult {
  std::string name;
  std::string sql;  ///< of the first variant
  bool transaction_control = false;
  std::uint64_t good = 0;  ///< with the declared row count
  std::uint64_t unexpected = 0;
  std::uint64_t failed = 0;
  std::uint64_t skipped = 0;  ///< after an error earlier in its flight
  std::uint64_t rows = 0;
  std::optional<LatencyHistogram> latency;  ///< of good ones; nullopt: sent in flights, no latency of its own
  LatencyHistogram failed_latency;

  std::uint64_t executed() const { return good + unexpected + failed; }
};

struct HostResult {
  std::string name;            ///< "db1:5432"
  std::uint32_t sessions = 0;  ///< open at the start of the window
  std::uint64_t completed = 0;
  std::uint64_t failed = 0;
  std::uint64_t connections_lost = 0;
  std::uint64_t reconnects = 0;
  /// Transactions that our sessions saw the server end (a ReadyForQuery outside a transaction block), from
  /// the start of the load to its end, warm-up and drain included; and before it, when statements were
  /// prepared.
  std::uint64_t server_transactions = 0, setup_transactions = 0;
  LatencyHistogram service{};                  ///< of completed transactions
  std::optional<LatencyHistogram> response{};  ///< only with a rate
};

/// What ended a statement or a connection badly.
enum class ErrorClass : std::uint8_t { server, connect, lost, timeout, cancelled, protocol };
const char* to_string(ErrorClass error_class);

struct ErrorResult {
  ErrorClass error_class = ErrorClass::server;
  std::string sqlstate;   ///< empty: none
  std::string statement;  ///< empty: not in a statement (connecting)
  std::string host;
  std::uint64_t count = 0;
  std::uint64_t retried = 0;
  double first_s = 0;  ///< since the start of the window; negative: warm-up
  double last_s = 0;
  std::string message;  ///< of the first; any bytes as the server sent them
};

/// What completed in one second of the window (by completion), or in the drain. Old ones of a long run are
/// longer (IntervalSeries).
struct IntervalResult {
  double start_s = 0;
  double length_s = 1;
  bool drain = false;
  std::uint64_t completed = 0;
  std::uint64_t failed = 0;
  std::uint64_t count = 0;                                                  ///< of the latencies below
  std::optional<double> mean_us{}, p50_us{}, p95_us{}, p99_us{}, max_us{};  ///< service, of completed ones
  std::uint32_t busy_sessions = 0;                                          ///< at the end of the interval
  /// Only with a rate: what the schedule planned for the interval, what was dropped in it, the backlog at its
  /// end, and response times of what completed in it.
  std::uint64_t arrivals = 0, skipped = 0, queued = 0;
  std::optional<double> response_p50_us{}, response_p95_us{}, response_p99_us{}, response_max_us{};
  /// Where the figures above come from; response only with a rate.
  PackedHistogram service{}, response{};
};

/// How load was offered, in the words of the command line.
struct LoadFacts {
  std::string rate;         ///< "5000", "ramp 0..20000 over 60s, hold 5m"; empty: closed loop
  std::string arrivals;     ///< "poisson", "uniform"; empty: closed loop
  std::string late_policy;  ///< "queue", "skip:100ms"; empty: closed loop
  std::string think;        ///< "100ms", "exp:100ms"; empty: none
  std::string sessions;     ///< a profile of session counts; empty: constant
  double mean_rate = 0;     ///< planned arrivals / window, per second
};

/// What a closed loop hides, estimated: HdrHistogram's correction for coordinated omission with
/// sessions / throughput as the expected interval.
struct ClosedLoopEstimate {
  double longest_silence_s = 0;  ///< in which no transaction ended
  double fixed_rate_p99_us = 0;  ///< the p99 that a fixed rate would have shown
};

/// The machine and program that offered the load.
struct ClientMachine {
  std::string host_name, kernel, cpu_model;
  std::uint32_t cpus = 0;
  std::uint64_t memory_bytes = 0;
  std::string build;  ///< compiler and build type
};

struct ServerFacts {
  std::string version;  ///< server_version, "15.18 (Debian …)"
  std::string where;    ///< "db1:5432/bench"
  bool tls = false;
  std::string tls_version, tls_cipher;
  std::string tls_verified;    ///< "no", "chain", "chain and host"
  std::string sslmode;         ///< as in force
  std::string authentication;  ///< "scram-sha-256-plus" …
  bool throwaway = false;      ///< --ephemeral: it shares the client's CPUs by design
};

struct ClientFacts {
  double cpu_user_s = 0, cpu_system_s = 0;  ///< during the window
  double busiest_worker_cores = 0;          ///< CPU seconds of the busiest worker / window
  std::uint64_t max_rss_bytes = 0;
  std::uint32_t io_threads = 0;
  /// Bytes and messages (TLS's own not) from the start of the load to its end, warm-up, drain and reconnects
  /// included, and the transactions of that time, completed and failed, to divide by.
  std::uint64_t bytes_sent = 0, bytes_received = 0;
  std::uint64_t round_trips = 0;  ///< of the counted attempts
  std::uint64_t messages_sent = 0, messages_received = 0;
  std::uint64_t traffic_transactions = 0;
  ClientMachine machine{};
};

/// One of several clients whose results were merged.
struct ClientPart {
  std::string name;             ///< of its document
  std::uint32_t index = 1;      ///< --client I/N
  double start_s = 0;           ///< of its window, after the earliest one
  double duration_s = 0;        ///< of its window
  std::uint32_t sessions = 0;   ///< open
  std::uint64_t completed = 0;  ///< in its window
  LatencyHistogram service{};
  std::optional<LatencyHistogram> response{};
};

enum class RunStatus : std::uint8_t { good, failed, stopped };
const char* to_string(RunStatus status);

/// The finished document from which every report is made.
struct RunResult {
  std::string pgload_version;
  std::string workload;
  std::vector<std::pair<std::string, std::string>> workload_options;
  std::string protocol;  ///< "prepared", "extended", "simple"
  std::uint32_t pipeline = 1;
  std::uint64_t seed = 0;
  std::string data_summary;  ///< "4 tables x 100,000 rows (found)"
  std::string key_summary;   ///< "keys uniform"
  /// Wall clock of the window's start, ISO 8601 UTC with microseconds. A label: only `merge` computes with
  /// it.
  std::string started_at;

  std::uint32_t sessions_requested = 0;
  std::uint32_t sessions_open = 0;  ///< when the window began
  std::vector<double> percentiles;  ///< that the user asked for, ascending

  double warmup_s = 0;
  double duration_s = 0;  ///< real length of the window
  double drain_s = 0;
  bool open_loop = false;
  LoadFacts load;
  /// Options as they were in force, for reproduction; no secrets.
  std::vector<std::pair<std::string, std::string>> configuration;
  std::uint32_t client_index = 1, client_count = 1;  ///< --client I/N; index 0: merged from several
  std::vector<ClientPart> clients;                   ///< only if merged

  TransactionCounts transactions;
  std::uint64_t queries = 0;          ///< statements answered inside the window, BEGIN/COMMIT included
  std::uint64_t control_queries = 0;  ///< of these: BEGIN, COMMIT, ROLLBACK that the workload declares
  std::vector<KindResult> kinds;
  std::vector<StatementResult> statements;
  std::vector<HostResult> hosts;
  std::vector<ErrorResult> errors;
  std::vector<IntervalResult> intervals;
  ServerFacts server;
  ClientFacts client;
  /// Only with a rate. How long started transactions waited because no session was free (0 where one was:
  /// what those were late is `self_check.dispatch_lag`).
  std::optional<LatencyHistogram> queue;
  /// Only with a rate: arrivals still queued at the window's end, as at least this old; in no kind's
  /// histogram.
  std::optional<LatencyHistogram> queued_response;
  std::optional<ClosedLoopEstimate> closed_loop_estimate;  ///< only without a rate
  SelfCheck self_check;
  VerdictLimits verdict_limits;
  std::vector<Verdict> verdicts;                  ///< empty: valid
  std::optional<ServerActivity> server_activity;  ///< none with --no-server-stats or without rights
  std::vector<std::string> notes;                 ///< sentences for people

  RunStatus status = RunStatus::good;
  std::string reason;  ///< why not good; empty if good

  double transactions_per_second() const;  ///< completed_in_window / duration_s, 0 for an empty window
  double queries_per_second() const;
  double control_queries_per_second() const;
  /// All kinds together.
  LatencyHistogram service() const;
  std::optional<LatencyHistogram> response() const;

  /// The identities of the README hold: arrivals = started + skipped + queued; started = completed + failed +
  /// unfinished; attempts = started + retries; the intervals add up to the total; kinds and hosts add up to
  /// the total. Returns what does not hold, one sentence each; empty is right.
  std::vector<std::string> check() const;
};

}  // namespace pgload::stats
