#include "src/cli/series_files.hpp"

#include <utility>

#include "src/cli/help_text.hpp"
#include "src/report/interval_formats.hpp"

namespace pgload::cli {

SeriesFiles::SeriesFiles(const CommandLine& line) {
  if (line.hlog) hlog_ = std::make_unique<report::LineFile>(*line.hlog);
  if (line.ndjson) ndjson_ = std::make_unique<report::LineFile>(*line.ndjson);
  if (line.csv) csv_ = std::make_unique<report::LineFile>(*line.csv);
  if (line.transaction_log) transactions_ = std::make_unique<report::TransactionLog>(*line.transaction_log);
}

void SeriesFiles::add(const stats::FinishedInterval& interval) {
  const bool first = !std::exchange(begun_, true);
  if (hlog_) {
    const std::string head = first ? report::hlog_head(version(), interval.started_at) : "";
    hlog_->append(head + report::hlog_lines(interval));
  }
  if (ndjson_) ndjson_->append(report::ndjson_line(interval.summary, interval.open_loop));
  if (csv_) {
    const std::string head = first ? report::csv_head() : "";
    csv_->append(head + report::csv_line(interval.summary, interval.open_loop));
  }
}

void SeriesFiles::add(stats::TransactionSamples samples, const stats::SampleNames& names) {
  if (!std::exchange(names_known_, true)) transactions_->begin(names);
  transactions_->add(std::move(samples));
}

std::vector<std::string> SeriesFiles::finish() {
  std::vector<std::string> sentences;
  for (const auto* file : {&hlog_, &ndjson_, &csv_})
    if (*file && (*file)->failure()) sentences.push_back(*(*file)->failure());
  if (transactions_)
    for (std::string& sentence : transactions_->finish()) sentences.push_back(std::move(sentence));
  return sentences;
}

}  // namespace pgload::cli
