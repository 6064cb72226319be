#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "proto_pg/wire/server_error.hpp"
#include "src/engine/admission.hpp"
#include "src/engine/silences.hpp"
#include "src/stats/run_result.hpp"
#include "workloads/api/session.hpp"

namespace pgload::engine {

/// What one worker counted in one second of the run (or in the drain), by completion.
struct IntervalBlock {
  static constexpr std::int64_t kDrain = std::numeric_limits<std::int64_t>::max();

  std::int64_t second = 0;  ///< since the window's start, negative in the warm-up; kDrain after its end
  std::uint64_t completed = 0;
  std::uint64_t failed = 0;
  std::uint64_t retries = 0;
  std::uint64_t queries = 0;
  std::uint64_t control_queries = 0;
  std::uint32_t busy_sessions = 0;  ///< when the block was closed
  Clock::time_point last_end{};     ///< when the last transaction ended, in this block or before
  /// Only with a rate.
  std::uint64_t skipped = 0;
  std::uint64_t next_arrival = 0;  ///< unclaimed of the schedule, when the block was closed
  stats::LatencyHistogram lag;     ///< of transactions that a free session waited for

  /// Of `completed`, by transaction kind; response times only with a rate.
  struct Kind {
    stats::LatencyHistogram service, response;
  };
  std::vector<Kind> kinds;

  explicit IntervalBlock(std::size_t kind_count = 0) : kinds(kind_count) {}
  void reset(std::int64_t new_second);
  void merge(const IntervalBlock& other);
  /// All kinds together.
  stats::LatencyHistogram service() const;
  stats::LatencyHistogram response() const;
};

/// Where a measured window lies. Arrivals before `start` are warm-up, from `end` on there are none.
struct Window {
  Clock::time_point start;
  Clock::time_point end = Clock::time_point::max();

  bool contains(Clock::time_point arrival) const { return arrival >= start && arrival < end; }
};

/// What became of one transaction, for Recorder::record.
struct TransactionRecord {
  workloads::api::KindId kind = 0;
  std::uint16_t host = 0;
  std::uint32_t retries = 0;
  bool good = false;
  bool unexpected = false;
  bool was_free = false;  ///< a session waited for the arrival
  Clock::time_point arrival;
  Clock::time_point dispatch;
  Clock::time_point completion;
};

/// One worker's counts. Nobody else touches them until the worker has ended; finished interval blocks leave
/// through `take_finished`. Recording allocates nothing, errors seen for the first time excepted.
class Recorder {
 public:
  /// `admission` knows whether there are planned arrivals, and which are claimed.
  Recorder(std::size_t kinds, std::size_t statements, std::size_t hosts, const Admission& admission);

  /// Sessions with a transaction in flight, noted in each block.
  void busy(int change) {
    busy_sessions_.store(busy_sessions() + static_cast<std::uint32_t>(change), std::memory_order_relaxed);
  }
  /// May be asked by any thread.
  std::uint32_t busy_sessions() const { return busy_sessions_.load(std::memory_order_relaxed); }

  void set_window(Window window);
  void end_window(Clock::time_point end);
  const Window& window() const { return window_; }

  /// The statements of one attempt; before `record` of its transaction.
  void record_statements(std::span<const workloads::api::StatementSample> samples,
                         const workloads::api::StatementCatalog& catalog, Clock::time_point arrival,
                         Clock::time_point completion);
  void record(const TransactionRecord& transaction);
  /// Still running when the drain was over.
  void record_unfinished(const TransactionRecord& transaction);
  /// Arrivals of the window that were dropped.
  void record_skipped(std::uint64_t count, Clock::time_point now);
  /// Claimed, but the window ended before it could start.
  void record_queued(Clock::time_point arrival);

  struct ErrorNote {
    stats::ErrorClass error_class;
    proto_pg::wire::SqlState sqlstate;
    int statement;  ///< -1: none
    std::uint16_t host;
    Clock::time_point arrival;  ///< of the transaction, or `when`
    Clock::time_point when;
    std::string_view message;
    bool retried;
  };
  void record_error(const ErrorNote& note);
  void record_lost(std::uint16_t host, Clock::time_point when) { hosts_[host].lost += when >= window_.start; }
  void record_reconnect(std::uint16_t host, Clock::time_point when) {
    hosts_[host].reconnects += when >= window_.start;
  }

  /// Closes the current block if `now` lies in a later interval: at each record and at each tick of the
  /// worker.
  void roll(Clock::time_point now);
  /// The worker has ended.
  void finish(Clock::time_point now);
  void close_block();
  std::vector<std::unique_ptr<IntervalBlock>> take_finished() { return std::exchange(finished_, {}); }

  /// Errors of transactions of the warm-up: told in a note, counted nowhere else.
  std::uint64_t warmup_errors() const { return warmup_errors_; }

  /// The longest times in which no transaction of this worker ended.
  const Silences& silences() const { return silences_; }

  /// Adds this worker's totals to the document. Call once, after the worker has ended.
  void add_to(stats::RunResult& result, const workloads::api::StatementCatalog& catalog,
              std::span<const std::string> host_names) const;

 private:
  struct Kind {
    std::uint64_t completed = 0, failed = 0, retries = 0;
    stats::LatencyHistogram service, response, failed_service;
  };
  struct Statement {
    std::uint64_t good = 0, unexpected = 0, failed = 0, skipped = 0, rows = 0;
    stats::LatencyHistogram latency, failed_latency;
  };
  struct Host {
    std::uint64_t completed = 0, failed = 0, lost = 0, reconnects = 0;
    stats::LatencyHistogram service, response;
  };
  struct Error {
    stats::ErrorClass error_class;
    proto_pg::wire::SqlState sqlstate;
    int statement;
    std::uint16_t host;
    std::uint64_t count = 0, retried = 0;
    Clock::time_point first, last;
    std::string message;
  };

  void open_block(Clock::time_point now);
  void record_warmup(const TransactionRecord& transaction);
  void record_dispatch(const TransactionRecord& transaction);
  void record_good(const TransactionRecord& transaction);
  std::int64_t second_of(Clock::time_point instant) const;

  Window window_;
  const Admission& admission_;
  bool open_loop_ = false;
  alignas(64) std::atomic<std::uint32_t> busy_sessions_{0};
  alignas(64) Silences silences_;
  stats::LatencyHistogram queue_, lag_;
  stats::LatencyHistogram queued_response_;  ///< of record_queued
  std::vector<Kind> kinds_;
  std::vector<Statement> statements_;
  std::vector<Host> hosts_;
  std::vector<Error> errors_;
  stats::TransactionCounts counts_;
  std::unique_ptr<IntervalBlock> block_;
  Clock::time_point block_end_ = Clock::time_point::min();
  std::vector<std::unique_ptr<IntervalBlock>> finished_;
  std::uint64_t round_trips_ = 0;
  std::uint64_t warmup_errors_ = 0;
};

}  // namespace pgload::engine
