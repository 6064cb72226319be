#include "src/report/text_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <vector>

#include "src/report/escape.hpp"
#include "src/report/format.hpp"
#include "src/report/latency_table.hpp"
#include "src/report/server_side.hpp"
#include "src/report/text_errors.hpp"
#include "src/report/text_verdict.hpp"

namespace pgload::report {
namespace {

using stats::RunResult;

std::string line(std::string_view label, std::string_view text) {
  return fmt::format("{:<12}{}\n", label, text);
}

/// How often per transaction, as people say it: 20, 2.5.
std::string times(double n) {
  return std::fabs(n - std::round(n)) < 0.005 ? grouped(static_cast<std::uint64_t>(std::llround(n)))
                                              : significant(n);
}

std::string sessions_text(const RunResult& run) {
  if (!run.load.sessions.empty()) {
    return fmt::format("sessions {}", visible(run.load.sessions));
  }
  return run.sessions_open == run.sessions_requested
             ? counted(run.sessions_open, "session")
             : fmt::format("{} of {}", grouped(run.sessions_open),
                           counted(run.sessions_requested, "session"));
}

std::string loop_text(const RunResult& run) {
  if (run.open_loop) {
    return fmt::format("open loop at {}/s", visible(run.load.rate));
  }
  return run.load.think.empty() ? "closed loop"
                                : fmt::format("closed loop thinking {}", visible(run.load.think));
}

/// "20 statements in 20 round trips", from what was done: a workload need not do the same each time.
std::string shape_text(const RunResult& run) {
  if (run.pipeline > 1) {
    return fmt::format("{} transactions in one write", grouped(run.pipeline));
  }
  std::uint64_t executed = 0;
  for (const stats::StatementResult& statement : run.statements) {
    executed += statement.executed() + statement.skipped;
  }
  if (run.transactions.attempts == 0 || executed == 0) {
    return "";
  }
  const auto attempts = static_cast<double>(run.transactions.attempts);
  const std::string statements = times(static_cast<double>(executed) / attempts);
  const std::string trips = times(static_cast<double>(run.client.round_trips) / attempts);
  return fmt::format("{} statement{} in {} round trip{}", statements, statements == "1" ? "" : "s", trips,
                     trips == "1" ? "" : "s");
}

std::string head(const RunResult& run) {
  const std::string warmup =
      run.warmup_s > 0 ? fmt::format("after {} warm-up", seconds(run.warmup_s)) : "no warm-up";
  const std::string shape = shape_text(run);
  return fmt::format("{}, {}, {}, {}, {}; {}{}{}   pgload {}\n", visible(run.workload), loop_text(run),
                     sessions_text(run), seconds(run.duration_s), warmup, run.protocol,
                     shape.empty() ? "" : ", ", shape, run.pgload_version);
}

std::string tls_text(const stats::ServerFacts& server) {
  if (!server.tls) {
    return server.sslmode.empty() ? "no TLS" : fmt::format("no TLS (sslmode {})", visible(server.sslmode));
  }
  const bool verified = !server.tls_verified.empty() && server.tls_verified != "no";
  return fmt::format("{} {}, {}: {}", visible(server.tls_version), visible(server.tls_cipher),
                     visible(server.sslmode),
                     verified ? visible(server.tls_verified) + " verified" : "not verified");
}

std::string server_line(const RunResult& run) {
  const stats::ServerFacts& server = run.server;
  if (server.version.empty() && server.where.empty()) {
    return line("server", kNothing);
  }
  // The packager's part of "15.18 (Debian 15.18-0+deb12u1)" is for the JSON.
  const std::string_view version = std::string_view(server.version).substr(0, server.version.find(' '));
  std::string text =
      fmt::format("PostgreSQL {} at {}; {}", visible(version), visible(server.where), tls_text(server));
  if (!server.authentication.empty()) {
    text += "; " + visible(server.authentication);
  }
  return line("server", text);
}

std::string data_line(const RunResult& run) {
  std::string text;
  for (const std::string* part : {&run.data_summary, &run.key_summary}) {
    if (!part->empty()) {
      text += visible(*part) + "; ";
    }
  }
  return line("data", text + fmt::format("seed {}", run.seed));
}

std::string throughput_line(const RunResult& run) {
  std::string text = fmt::format("{} transactions/s   {} queries/s", rate(run.transactions_per_second()),
                                 rate(run.queries_per_second()));
  if (run.control_queries > 0) {
    text += fmt::format(" ({} without BEGIN/COMMIT)",
                        rate(run.queries_per_second() - run.control_queries_per_second()));
  }
  return line("throughput", text);
}

std::string arrivals_line(const RunResult& run) {
  const stats::TransactionCounts& tx = run.transactions;
  return line(
      "arrivals",
      fmt::format("{}/s {}: {} planned = {} started + {} skipped + {} queued; completed {}",
                  rate(run.load.mean_rate), visible(run.load.arrivals), grouped(tx.arrivals),
                  grouped(tx.started), grouped(tx.skipped), grouped(tx.queued), grouped(tx.completed)));
}

/// What a closed loop can't show; silences that any busy server has are no news.
std::string hidden_line(const RunResult& run) {
  constexpr double kNews_s = 0.1;
  if (!run.closed_loop_estimate || run.closed_loop_estimate->longest_silence_s < kNews_s) {
    return "";
  }
  return line("hidden",
              fmt::format("nothing ended for {}; a fixed rate would have shown a p99 of about {} ms "
                          "(estimate; measure it with --rate)",
                          seconds(run.closed_loop_estimate->longest_silence_s),
                          milliseconds_of_us(run.closed_loop_estimate->fixed_rate_p99_us)));
}

std::string outcome_lines(const RunResult& run) {
  const stats::TransactionCounts& tx = run.transactions;
  std::string out;
  std::string_view label = "outcome";
  if (run.status != stats::RunStatus::good) {
    out += line(label, fmt::format("{}: {}", run.status == stats::RunStatus::failed ? "FAILED" : "STOPPED",
                                   visible(run.reason)));
    label = "";
  }
  std::string text = grouped(tx.completed) + " completed";
  if (tx.completed_in_drain > 0) {
    text +=
        fmt::format(" ({} of them while draining, {})", grouped(tx.completed_in_drain), seconds(run.drain_s));
  }
  text += fmt::format("   {}   {} failed   {} unfinished",
                      tx.retries == 1 ? "1 retry" : grouped(tx.retries) + " retries", grouped(tx.failed),
                      grouped(tx.unfinished));
  if (tx.unexpected > 0) {
    text += fmt::format("   {} with unexpected rows", grouped(tx.unexpected));
  }
  return out + line(label, text);
}

std::string client_line(const RunResult& run) {
  const stats::ClientFacts& client = run.client;
  const double cpu_s = client.cpu_user_s + client.cpu_system_s;
  const std::string per_query =
      run.queries > 0 ? significant(cpu_s * 1e6 / static_cast<double>(run.queries)) : std::string(kNothing);
  return line("client", fmt::format("{:.2f} of a core in the busiest of {}, {} us CPU per query, {}",
                                    client.busiest_worker_cores, counted(client.io_threads, "worker"),
                                    per_query, bytes(client.max_rss_bytes)));
}

std::string note_lines(const RunResult& run) {
  std::string out;
  for (const std::string& note : run.notes) {
    out += line(out.empty() ? "notes" : "", visible(note, 1000));
  }
  return out;
}

}  // namespace

std::string text_report(const RunResult& run, std::span<const double> percentiles) {
  std::string out = head(run) + server_line(run) + data_line(run) + verdict_lines(run) + throughput_line(run);
  if (run.open_loop) {
    out += arrivals_line(run);
  }
  out += outcome_lines(run);
  std::string tables = latency_table(run, percentiles);
  if (run.hosts.size() > 1) {
    tables += host_table(run, percentiles);
  }
  if (!run.clients.empty()) {
    tables += client_table(run, percentiles);
  }
  out += tables + mark_line(tables, run.verdict_limits) + hidden_line(run) + error_lines(run);
  return out + server_side_lines(run) + client_line(run) + self_check_line(run) + note_lines(run);
}

}  // namespace pgload::report
