#include "src/report/json_report.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "src/report/escape.hpp"
#include "src/report/format.hpp"

namespace pgload::report {
namespace {

using Json = nlohmann::ordered_json;
using stats::LatencyHistogram;
using stats::RunResult;

/// Rounded to `decimals`: the digits beyond are noise of the clock. Not a number: null.
Json number(double value, int decimals) {
  const double scale = std::pow(10, decimals);
  return std::isfinite(value) ? Json(std::round(value * scale) / scale) : Json(nullptr);
}

Json microseconds(std::optional<double> us) { return us ? number(*us, 3) : Json(nullptr); }

Json microseconds(std::optional<std::chrono::nanoseconds> latency) {
  return latency ? number(static_cast<double>(latency->count()) / 1e3, 3) : Json(nullptr);
}

Json text(std::string_view value) { return valid_utf8(value); }
Json text_or_null(std::string_view value) { return value.empty() ? Json(nullptr) : text(value); }

/// 99.9 -> "p99_9": a key that needs no quotes in most languages.
std::string percentile_key(double p) {
  std::string key = percentile_name(p);
  std::ranges::replace(key, '.', '_');
  return key;
}

/// Writes the parts of the document; the percentiles are the same in all of them.
class Writer {
 public:
  explicit Writer(std::span<const double> more_percentiles) : percentiles_{50, 90, 95, 99, 99.9} {
    percentiles_.insert(percentiles_.end(), more_percentiles.begin(), more_percentiles.end());
    std::ranges::sort(percentiles_);
    percentiles_.erase(std::ranges::unique(percentiles_).begin(), percentiles_.end());
  }

  Json latency(const LatencyHistogram& histogram) const {
    const std::optional<double> mean_ns = histogram.mean_ns();
    Json json{{"count", histogram.count()},
              {"mean", mean_ns ? number(*mean_ns / 1e3, 3) : Json(nullptr)},
              {"min", microseconds(histogram.min())}};
    for (const double p : percentiles_) {
      json[percentile_key(p)] = microseconds(histogram.percentile(p));
    }
    json["max"] = microseconds(histogram.max());
    json["at_least"] = histogram.at_least_count();
    json["saturated"] = histogram.saturated();
    return json;
  }
  Json latency(const std::optional<LatencyHistogram>& histogram) const {
    return histogram ? latency(*histogram) : Json(nullptr);
  }
  Json latency_if_any(const LatencyHistogram& histogram) const {
    return histogram.empty() ? Json(nullptr) : latency(histogram);
  }

  Json kind(const stats::KindResult& kind) const {
    return {{"name", text(kind.name)},
            {"count", kind.completed},
            {"failed", kind.failed},
            {"retries", kind.retries},
            {"latency_us", latency(kind.service)},
            {"response_latency_us", latency(kind.response)},
            {"failed_latency_us", latency_if_any(kind.failed_service)}};
  }

  Json statement(const stats::StatementResult& statement) const {
    return {{"name", text(statement.name)},
            {"sql", text(statement.sql)},
            {"transaction_control", statement.transaction_control},
            {"count", statement.good},
            {"unexpected", statement.unexpected},
            {"failed", statement.failed},
            {"skipped", statement.skipped},
            {"rows", statement.rows},
            {"latency_us", latency(statement.latency)},
            {"failed_latency_us", latency_if_any(statement.failed_latency)}};
  }

  Json host(const stats::HostResult& host) const {
    return {{"name", text(host.name)},
            {"sessions", host.sessions},
            {"count", host.completed},
            {"failed", host.failed},
            {"connections_lost", host.connections_lost},
            {"reconnects", host.reconnects},
            {"latency_us", latency(host.service)}};
  }

 private:
  std::vector<double> percentiles_;
};

template <class Items, class Write>
Json array_of(const Items& items, Write write) {
  Json array = Json::array();
  for (const auto& item : items) {
    array.push_back(write(item));
  }
  return array;
}

Json workload_of(const RunResult& run) {
  Json options = Json::object();
  for (const auto& [name, value] : run.workload_options) {
    options[valid_utf8(name)] = text(value);
  }
  return {{"name", text(run.workload)},
          {"options", std::move(options)},
          {"data", text_or_null(run.data_summary)},
          {"keys", text_or_null(run.key_summary)}};
}

Json transactions_of(const RunResult& run) {
  const stats::TransactionCounts& tx = run.transactions;
  return {{"arrivals", tx.arrivals},
          {"started", tx.started},
          {"skipped", tx.skipped},
          {"queued", tx.queued},
          {"completed", tx.completed},
          {"completed_in_window", tx.completed_in_window},
          {"completed_in_drain", tx.completed_in_drain},
          {"completed_from_warmup", tx.completed_from_warmup},
          {"failed", tx.failed},
          {"unfinished", tx.unfinished},
          {"attempts", tx.attempts},
          {"retries", tx.retries},
          {"unexpected", tx.unexpected},
          {"per_second", number(run.transactions_per_second(), 3)}};
}

Json queries_of(const RunResult& run) {
  return {{"count", run.queries},
          {"per_second", number(run.queries_per_second(), 3)},
          {"control_count", run.control_queries},
          {"control_per_second", number(run.control_queries_per_second(), 3)}};
}

Json error(const stats::ErrorResult& error) {
  return {{"class", to_string(error.error_class)},
          {"sqlstate", text_or_null(error.sqlstate)},
          {"statement", text_or_null(error.statement)},
          {"host", text_or_null(error.host)},
          {"count", error.count},
          {"retried", error.retried},
          {"first_s", number(error.first_s, 3)},
          {"last_s", number(error.last_s, 3)},
          {"message", text(error.message)}};
}

Json interval(const stats::IntervalResult& interval) {
  Json latency = nullptr;
  if (interval.count > 0) {
    latency = {{"count", interval.count},
               {"mean", microseconds(interval.mean_us)},
               {"p50", microseconds(interval.p50_us)},
               {"p95", microseconds(interval.p95_us)},
               {"p99", microseconds(interval.p99_us)},
               {"max", microseconds(interval.max_us)}};
  }
  return {{"start_s", number(interval.start_s, 3)},
          {"length_s", number(interval.length_s, 3)},
          {"drain", interval.drain},
          {"completed", interval.completed},
          {"failed", interval.failed},
          {"busy_sessions", interval.busy_sessions},
          {"latency_us", std::move(latency)}};
}

Json server_of(const stats::ServerFacts& server) {
  return {{"version", text_or_null(server.version)},
          {"where", text_or_null(server.where)},
          {"authentication", text_or_null(server.authentication)},
          {"sslmode", text_or_null(server.sslmode)},
          {"tls", server.tls},
          {"tls_version", server.tls ? text_or_null(server.tls_version) : Json(nullptr)},
          {"tls_cipher", server.tls ? text_or_null(server.tls_cipher) : Json(nullptr)},
          {"tls_verified", server.tls ? text_or_null(server.tls_verified) : Json(nullptr)}};
}

Json client_of(const stats::ClientFacts& client) {
  return {{"io_threads", client.io_threads},
          {"cpu_user_s", number(client.cpu_user_s, 6)},
          {"cpu_system_s", number(client.cpu_system_s, 6)},
          {"busiest_worker_cores", number(client.busiest_worker_cores, 4)},
          {"max_rss_bytes", client.max_rss_bytes},
          {"sent_bytes", client.bytes_sent},
          {"received_bytes", client.bytes_received},
          {"round_trips", client.round_trips}};
}

}  // namespace

std::string json_report(const RunResult& run, std::span<const double> more_percentiles) {
  const Writer writer(more_percentiles);
  Json json{{"schema", kRunSchema},
            {"pgload_version", text(run.pgload_version)},
            {"started_at", text_or_null(run.started_at)},
            {"workload", workload_of(run)},
            {"protocol", text(run.protocol)},
            {"pipeline", run.pipeline},
            {"seed", run.seed},
            {"loop", run.open_loop ? "open" : "closed"},
            {"sessions", {{"requested", run.sessions_requested}, {"open", run.sessions_open}}},
            {"warmup_s", number(run.warmup_s, 6)},
            {"duration_s", number(run.duration_s, 6)},
            {"drain_s", number(run.drain_s, 6)},
            {"outcome", {{"status", to_string(run.status)}, {"reason", text_or_null(run.reason)}}},
            {"transactions", transactions_of(run)},
            {"queries", queries_of(run)},
            {"latency_us",
             {{"response", writer.latency(run.response())}, {"service", writer.latency(run.service())}}}};
  json["kinds"] = array_of(run.kinds, [&](const auto& kind) { return writer.kind(kind); });
  json["statements"] = array_of(run.statements, [&](const auto& item) { return writer.statement(item); });
  json["hosts"] = array_of(run.hosts, [&](const auto& host) { return writer.host(host); });
  json["errors"] = array_of(run.errors, error);
  json["server"] = server_of(run.server);
  json["client"] = client_of(run.client);
  json["notes"] = array_of(run.notes, text);
  json["intervals"] = array_of(run.intervals, interval);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace pgload::report
