#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>

namespace workloads::ycsb {

/// Hands out key numbers for inserts, and knows up to which all are in the table: a key is read only when its
/// insert was confirmed. Shared by all sessions of all workers; without locks while inserts succeed.
class InsertCounter {
 public:
  /// More inserts than that can't be under way behind one that is not answered: `last` would stand still
  /// until the end of the run.
  static constexpr std::uint64_t kWindow = std::uint64_t{1} << 24;

  /// The first number handed out; all below are in the table.
  explicit InsertCounter(std::uint64_t first);

  std::uint64_t next() { return next_.fetch_add(1, std::memory_order_relaxed); }
  /// The insert of `number` is answered.
  void confirm(std::uint64_t number) { settle(number); }
  /// The insert of `number` failed, or nobody knows: it is never read.
  void give_up(std::uint64_t number);

  /// The highest number below which, it included, all are settled.
  std::uint64_t last() const { return settled_.load(std::memory_order_acquire) - 1; }
  /// Whether `number`, at most `last()`, was given up.
  bool is_missing(std::uint64_t number) const;

 private:
  void settle(std::uint64_t number);
  void advance();

  std::atomic<std::uint64_t> next_;
  std::atomic<std::uint64_t> settled_;  ///< all below are settled
  std::atomic_flag advancing_;
  std::unique_ptr<std::atomic<std::uint64_t>[]> window_;  ///< a bit for each number from `settled_` on
  std::atomic<bool> any_missing_{false};
  mutable std::mutex mutex_;
  std::set<std::uint64_t> missing_;
};

}  // namespace workloads::ycsb
