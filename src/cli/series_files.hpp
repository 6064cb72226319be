#pragma once

#include <memory>
#include <string>
#include <vector>

#include "src/cli/command_line.hpp"
#include "src/report/line_file.hpp"
#include "src/report/transaction_log.hpp"
#include "src/stats/finished_interval.hpp"

namespace pgload::cli {

/// The files of --hlog, --ndjson, --csv and --log-transactions, which grow while the run lasts. Opened when
/// made: throws std::runtime_error for one that can't be written.
class SeriesFiles {
 public:
  explicit SeriesFiles(const CommandLine& line);

  void add(const stats::FinishedInterval& interval);
  void add(stats::TransactionSamples samples, const stats::SampleNames& names);
  /// Ends them. A sentence for each that is not complete.
  std::vector<std::string> finish();

 private:
  std::unique_ptr<report::LineFile> hlog_, ndjson_, csv_;
  std::unique_ptr<report::TransactionLog> transactions_;
  bool begun_ = false;
  bool names_known_ = false;
};

}  // namespace pgload::cli
