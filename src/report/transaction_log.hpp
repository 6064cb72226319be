#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "src/report/line_file.hpp"
#include "src/stats/transaction_sample.hpp"

namespace pgload::report {

/// The file of --log-transactions: CSV with a head, a line for each sampled transaction, in no order. A
/// thread of its own formats and writes; who adds samples never waits for it. If the disk can't follow,
/// samples are dropped and counted.
class TransactionLog {
 public:
  /// Throws std::runtime_error if the file can't be written.
  explicit TransactionLog(const std::string& path);
  ~TransactionLog();
  TransactionLog(const TransactionLog&) = delete;
  TransactionLog& operator=(const TransactionLog&) = delete;

  /// Before the first `add`.
  void begin(stats::SampleNames names);
  void add(stats::TransactionSamples samples);
  /// Writes what is left. Returns sentences about what is not in the file; empty if all is.
  std::vector<std::string> finish();

 private:
  void write_all();

  /// Some 200 MB: what a disk that stands still for a while leaves behind.
  static constexpr std::size_t kMostWaiting = 4'000'000;

  LineFile file_;
  stats::SampleNames names_;
  std::mutex mutex_;
  std::condition_variable more_;
  std::deque<std::vector<stats::TransactionSample>> waiting_;
  std::size_t waiting_samples_ = 0;
  std::uint64_t dropped_ = 0;
  bool ending_ = false;
  std::thread writer_;
};

std::string transaction_log_head();
std::string transaction_log_lines(const std::vector<stats::TransactionSample>& samples,
                                  const stats::SampleNames& names);

}  // namespace pgload::report
