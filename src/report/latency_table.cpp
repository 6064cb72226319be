#include "src/report/latency_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "src/report/escape.hpp"
#include "src/report/format.hpp"
#include "src/report/table.hpp"
#include "src/report/text_verdict.hpp"

namespace pgload::report {
namespace {

using stats::LatencyHistogram;
using stats::RunResult;
using Cells = std::vector<std::string>;

constexpr std::size_t kLabelWidth = 12;  ///< of the report's other lines
constexpr std::size_t kNumberWidth = 6;
constexpr std::size_t kNameCharacters = 40;

std::string indented(const std::string& name) { return "  " + visible(name, kNameCharacters); }

void append_names(Cells& cells, std::span<const double> percentiles) {
  cells.emplace_back("mean");
  for (const double p : percentiles) {
    cells.push_back(percentile_name(p));
  }
  cells.emplace_back("max");
}

void append_latencies(Cells& cells, const LatencyHistogram& latency, std::span<const double> percentiles,
                      const stats::VerdictLimits& limits) {
  const std::optional<double> mean = latency.mean_ns();
  cells.push_back(mean ? significant(*mean / 1e6) : std::string(kNothing));
  for (const double p : percentiles) {
    cells.push_back(marked_percentile(latency, p, limits));
  }
  cells.push_back(milliseconds(latency.max()));
}

void append_no_latencies(Cells& cells, std::span<const double> percentiles) {
  cells.insert(cells.end(), percentiles.size() + 2, std::string(kNothing));
}

std::string remark_on(const LatencyHistogram& latency, std::string text = {}) {
  if (const std::uint64_t n = latency.at_least_count(); n > 0) {
    text += fmt::format("{}{} not ended: at least this old", text.empty() ? "" : "; ", grouped(n));
  }
  if (const std::uint64_t n = latency.saturated(); n > 0) {
    text += fmt::format("{}{} above the range", text.empty() ? "" : "; ", grouped(n));
  }
  return text;
}

std::string per_transaction(std::uint64_t n, std::uint64_t transactions) {
  if (transactions == 0) {
    return std::string(kNothing);
  }
  const double times = static_cast<double>(n) / static_cast<double>(transactions);
  const double whole = std::round(times);
  return whole > 0 && std::fabs(times - whole) < 0.005 ? grouped(static_cast<std::uint64_t>(whole))
                                                       : significant(times);
}

std::string share(double part_ns, double whole_ns) {
  if (whole_ns <= 0) {
    return std::string(kNothing);
  }
  const double percent = 100 * part_ns / whole_ns;
  return percent > 0 && percent < 0.5 ? "<1%" : fmt::format("{:.0f}%", percent);
}

/// Builds the rows; n/tx and share only exist where parts of a transaction are listed.
class LatencyRows {
 public:
  LatencyRows(std::span<const double> percentiles, const stats::VerdictLimits& limits, bool with_parts)
      : percentiles_(percentiles),
        limits_(limits),
        with_parts_(with_parts),
        table_(kLabelWidth, kNumberWidth) {
    Cells cells{"latency ms"};
    if (with_parts_) {
      cells.insert(cells.end(), {"n/tx", "share"});
    }
    append_names(cells, percentiles_);
    table_.add_row(std::move(cells));
  }

  /// No latency: nullptr.
  void add(std::string name, std::string n, std::string share, const LatencyHistogram* latency,
           std::string remark = {}) {
    Cells cells{std::move(name)};
    if (with_parts_) {
      cells.push_back(std::move(n));
      cells.push_back(std::move(share));
    }
    if (latency != nullptr) {
      append_latencies(cells, *latency, percentiles_, limits_);
      remark = remark_on(*latency, std::move(remark));
    } else {
      append_no_latencies(cells, percentiles_);
    }
    table_.add_row(std::move(cells), std::move(remark));
  }

  std::string text() const { return table_.text(); }

 private:
  std::span<const double> percentiles_;
  const stats::VerdictLimits& limits_;
  bool with_parts_;
  Table table_;
};

void add_kinds(LatencyRows& rows, const RunResult& run, double total_ns) {
  for (const stats::KindResult& kind : run.kinds) {
    rows.add(indented(kind.name), per_transaction(kind.completed, run.transactions.completed),
             share(kind.service.total_ns(), total_ns), &kind.service);
  }
}

void add_statements(LatencyRows& rows, const RunResult& run, double total_ns) {
  for (const stats::StatementResult& statement : run.statements) {
    const LatencyHistogram* latency = statement.latency ? &*statement.latency : nullptr;
    rows.add(indented(statement.name), per_transaction(statement.executed(), run.transactions.attempts),
             latency != nullptr ? share(latency->total_ns(), total_ns) : std::string(kNothing), latency);
  }
}

}  // namespace

std::string latency_table(const RunResult& run, std::span<const double> percentiles) {
  const bool list_kinds = run.kinds.size() > 1;
  const bool list_statements = run.statements.size() > 1;
  LatencyRows rows(percentiles, run.verdict_limits, list_kinds || list_statements);

  const LatencyHistogram service = run.service();
  const std::string whole = service.empty() ? std::string(kNothing) : "100%";
  const std::string batch =
      run.pipeline > 1 ? fmt::format("from the send of its batch of {}", grouped(run.pipeline)) : "";
  if (const std::optional<LatencyHistogram> response = run.response()) {
    rows.add("response", "", "", &*response, "from the planned start: what users feel");
    if (run.queue) {
      rows.add("  queue", "", "", &*run.queue, "waiting for a free session");
    }
    rows.add("  service", "", whole, &service, "from dispatch: what a closed loop would have shown");
  } else {
    rows.add("transaction", "", whole, &service, batch);
  }
  if (list_kinds) {
    add_kinds(rows, run, service.total_ns());
  }
  if (list_statements) {
    add_statements(rows, run, service.total_ns());
  }
  LatencyHistogram failed;
  for (const stats::KindResult& kind : run.kinds) {
    failed.merge(kind.failed_service);
  }
  if (!failed.empty()) {
    rows.add("failed", "", "", &failed);
  }
  return rows.text();
}

std::string host_table(const RunResult& run, std::span<const double> percentiles) {
  Table table(kLabelWidth, kNumberWidth);
  Cells head{"hosts", "sessions", "completed", "failed", "lost"};
  append_names(head, percentiles);
  table.add_row(std::move(head));
  for (const stats::HostResult& host : run.hosts) {
    Cells cells{indented(host.name), grouped(host.sessions), grouped(host.completed), grouped(host.failed),
                grouped(host.connections_lost)};
    append_latencies(cells, host.service, percentiles, run.verdict_limits);
    table.add_row(std::move(cells), remark_on(host.service));
  }
  return table.text();
}

std::string client_table(const RunResult& run, std::span<const double> percentiles) {
  Table table(kLabelWidth, kNumberWidth);
  Cells head{"clients", "sessions", "tx/s", "from s"};
  append_names(head, percentiles);
  table.add_row(std::move(head));
  for (const stats::ClientPart& client : run.clients) {
    const double per_s =
        client.duration_s > 0 ? static_cast<double>(client.completed) / client.duration_s : 0;
    const LatencyHistogram& latency = client.response ? *client.response : client.service;
    Cells cells{indented(client.name), grouped(client.sessions), rate(per_s),
                fmt::format("{:.3f}", client.start_s)};
    append_latencies(cells, latency, percentiles, run.verdict_limits);
    table.add_row(std::move(cells), remark_on(latency));
  }
  return table.text();
}

}  // namespace pgload::report
