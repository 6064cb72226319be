#include "src/report/text_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "src/report/escape.hpp"
#include "src/report/format.hpp"
#include "src/stats/verdict.hpp"

namespace pgload::report {
namespace {

using stats::RunResult;
using stats::VerdictKind;

constexpr char kMark = '~';

std::string line(std::string_view label, std::string_view text) {
  return fmt::format("{:<12}{}\n", label, text);
}

/// 0.2 %, 41 %, <0.1 %
std::string percent(double ratio) {
  const double hundredths = ratio * 100;
  if (hundredths > 0 && hundredths < 0.05) {
    return "<0.1 %";
  }
  return fmt::format("{:.{}f} %", hundredths, hundredths < 9.95 ? 1 : 0);
}

bool has(const RunResult& run, VerdictKind kind) {
  return std::ranges::any_of(run.verdicts, [&](const stats::Verdict& v) { return v.kind == kind; });
}

/// What speaks for the run, as far as no verdict speaks against it; then the neutral figure.
std::string good_signs(const RunResult& run) {
  std::vector<std::string> signs;
  if (run.open_loop && run.transactions.arrivals > 0 && !has(run, VerdictKind::rate_not_reached)) {
    signs.emplace_back("rate reached");
  }
  if (!has(run, VerdictKind::client_bound) && !run.server.throwaway) {  // there, a note says it
    if (!run.self_check.client_error.empty()) {
      const std::string share = percent(stats::client_share(run).of_mean);
      signs.push_back(run.self_check.is_loop_delay() ? "loop delay " + share + " of latency"
                                                     : "client adds " + share + " to latency");
    }
    if (const auto lag = run.self_check.dispatch_lag.percentile(99)) {
      signs.push_back(fmt::format("lag p99 {:.2f} ms", static_cast<double>(lag->count()) / 1e6));
    }
  }
  std::string text = fmt::format("{}", fmt::join(signs, ", "));
  if (run.open_loop) {
    text += fmt::format("{}all sessions busy {} of the time", text.empty() ? "" : "; ",
                        percent(run.self_check.all_busy_ratio));
  }
  return text;
}

std::string verdict_text(const stats::Verdict& verdict, bool marked) {
  std::string text = fmt::format("{}: {}", to_string(verdict.kind), visible(verdict.figure, 1000));
  if (marked && verdict.kind == VerdictKind::too_few_samples) {
    text += fmt::format(" (marked {})", kMark);
  }
  return text;
}

}  // namespace

std::string verdict_lines(const RunResult& run) {
  const std::string signs = good_signs(run);
  if (run.verdicts.empty()) {
    return line("verdict", signs.empty() ? "valid" : "valid: " + signs);
  }
  const bool marked = !run.service().empty();
  std::string out;
  std::string text;
  for (const stats::Verdict& verdict : run.verdicts) {
    if (!text.empty()) {
      out += line(out.empty() ? "verdict" : "", text);
    }
    text = verdict_text(verdict, marked);
  }
  // Too few samples alone are no trouble worth a line more.
  const bool calm =
      run.verdicts.size() == 1 && run.verdicts.front().kind == VerdictKind::too_few_samples && !signs.empty();
  out += line(out.empty() ? "verdict" : "", calm ? text + "; " + signs : text);
  return calm || signs.empty() ? out : out + line("", signs);
}

std::string self_check_line(const RunResult& run) {
  const stats::SelfCheck& check = run.self_check;
  std::vector<std::string> parts;
  if (const auto mean = check.client_error.mean_ns()) {
    parts.push_back(fmt::format("{} {} ms, p99 {}, max {}{}", check.is_loop_delay() ? "loop delay" : "adds",
                                significant(*mean / 1e6), milliseconds(check.client_error.percentile(99)),
                                milliseconds(check.client_error.max()),
                                check.is_loop_delay() ? "" : fmt::format(" ({})", visible(check.method))));
  }
  stats::LatencyHistogram late;
  double waited_s = 0;
  for (const stats::WorkerFacts& worker : check.workers) {
    late.merge(worker.timer_lateness);
    waited_s = std::max(waited_s, worker.run_queue_wait_s);
  }
  if (!check.workers.empty() && run.duration_s > 0) {
    parts.push_back(fmt::format("waited {} for a CPU", percent(waited_s / run.duration_s)));
  }
  if (!late.empty()) {
    parts.push_back(fmt::format("timers late p99 {} ms", milliseconds(late.percentile(99))));
  }
  if (check.steal_ratio > 0) {
    parts.push_back(fmt::format("steal {}", percent(check.steal_ratio)));
  }
  return parts.empty() ? "" : line("", fmt::format("{}", fmt::join(parts, "; ")));
}

std::string marked_percentile(const stats::LatencyHistogram& latency, double p,
                              const stats::VerdictLimits& limits) {
  const std::string text = milliseconds(latency.percentile(p));
  return too_few_samples(latency, p, limits) ? kMark + text : text;
}

std::string mark_line(const std::string& table, const stats::VerdictLimits& limits) {
  return table.find(fmt::format(" {}", kMark)) == std::string::npos
             ? ""
             : line("", fmt::format("{} fewer than {} values lie beyond it", kMark, limits.samples_beyond));
}

}  // namespace pgload::report
