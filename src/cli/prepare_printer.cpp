#include "src/cli/prepare_printer.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <utility>

#include "src/report/format.hpp"

namespace pgload::cli {

namespace {

constexpr std::size_t kBarColumns = 30;

double seconds(std::chrono::nanoseconds duration) { return std::chrono::duration<double>(duration).count(); }

std::string load_line(const data::PrepareProgress& progress) {
  const double share = progress.rows_total > 0 ? static_cast<double>(progress.rows_done) /
                                                     static_cast<double>(progress.rows_total)
                                               : 1.0;
  const auto filled = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * kBarColumns);
  const double elapsed = std::max(seconds(progress.elapsed), 1e-9);
  return fmt::format(
      "{} [{}{}] {:3.0f} %  {} of {} rows  {}/s", progress.step, std::string(filled, '#'),
      std::string(kBarColumns - filled, '.'), share * 100, report::grouped(progress.rows_done),
      report::grouped(progress.rows_total),
      report::bytes(static_cast<std::uint64_t>(static_cast<double>(progress.bytes) / elapsed)));
}

}  // namespace

PreparePrinter::PreparePrinter(std::uint64_t seed)
    : printer_(std::cerr, report::can_redraw(STDERR_FILENO),
               [] { return report::terminal_columns(STDERR_FILENO); }),
      seed_(seed) {}

void PreparePrinter::show(const data::PrepareProgress& progress) {
  if (!std::exchange(seed_shown_, true)) printer_.say(fmt::format("seed {}", seed_));
  if (progress.finished && progress.elapsed.count() == 0) {
    printer_.say(progress.step);
  } else if (progress.finished) {
    printer_.say(fmt::format("{:<24} {:>8}", progress.step, report::seconds(seconds(progress.elapsed))));
  } else if (printer_.redraws()) {
    printer_.show(load_line(progress));
  }
}

void PreparePrinter::finish(const data::PrepareSummary& summary) {
  const std::string total = report::seconds(seconds(summary.total_time)) + " in all";
  if (summary.tables_loaded == 0) {
    printer_.say(
        fmt::format("nothing to load, {} kept; {}", report::counted(summary.tables_kept, "table"), total));
    return;
  }
  const double load_s = std::max(seconds(summary.load_time), 1e-9);
  printer_.say(fmt::format(
      "{} loaded, {} kept; {} rows at {} rows/s, {}/s; {}", report::counted(summary.tables_loaded, "table"),
      summary.tables_kept, report::grouped(summary.rows),
      report::whole(static_cast<double>(summary.rows) / load_s),
      report::bytes(static_cast<std::uint64_t>(static_cast<double>(summary.bytes) / load_s)), total));
}

data::PrepareSummary prepare_with_progress(const data::Target& target,
                                           const workloads::api::Workload& workload,
                                           const data::PreparePlan& plan, const std::function<bool()>& stop) {
  PreparePrinter printer(plan.seed);
  const data::PrepareSummary summary = data::prepare(
      target, workload, plan, [&](const data::PrepareProgress& progress) { printer.show(progress); }, stop);
  printer.finish(summary);
  return summary;
}

}  // namespace pgload::cli
