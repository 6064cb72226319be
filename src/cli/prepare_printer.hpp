#pragma once

#include "src/data/data.hpp"
#include "src/report/progress_printer.hpp"

namespace pgload::cli {

/// `pgload prepare` on stderr: a bar while rows are loaded, a line for each finished step with its time.
class PreparePrinter {
 public:
  explicit PreparePrinter(std::uint64_t seed);

  void show(const data::PrepareProgress& progress);
  /// The closing line: rows/s and MB/s.
  void finish(const data::PrepareSummary& summary);

 private:
  report::ProgressPrinter printer_;
  std::uint64_t seed_;
  bool seed_shown_ = false;  ///< it is needed to resume the load, so it comes first
};

/// Loads the workload's data, with progress. Throws data::DataError.
data::PrepareSummary prepare_with_progress(const data::Target& target,
                                           const workloads::api::Workload& workload,
                                           const data::PreparePlan& plan, const std::function<bool()>& stop);

}  // namespace pgload::cli
