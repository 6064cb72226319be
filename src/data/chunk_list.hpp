#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace pgload::data {

/// A range of rows of one table: one COPY, one transaction.
struct Chunk {
  std::size_t table = 0;
  std::uint64_t first = 0, last = 0;  ///< both included
  std::uint64_t rows() const { return last - first + 1; }
};

/// All chunks of a load, taken one by one by any number of threads; made when taken, so that a load of 10^12
/// rows needs no list of its ranges. Tables take turns: connections that write to different tables do not get
/// into each other's way.
class ChunkList {
 public:
  ChunkList(std::vector<std::uint64_t> rows_by_table, std::uint64_t chunk_rows)
      : rows_(std::move(rows_by_table)), chunk_rows_(chunk_rows) {
    for (const auto rows : rows_) {
      rounds_ = std::max(rounds_, rows / chunk_rows_ + (rows % chunk_rows_ != 0));
      total_ += rows;
    }
  }

  std::optional<Chunk> take() {
    while (true) {
      const std::uint64_t position = next_.fetch_add(1, std::memory_order_relaxed);
      if (rows_.empty() || position / rows_.size() >= rounds_) return std::nullopt;
      const std::size_t table = position % rows_.size();
      const std::uint64_t before = position / rows_.size() * chunk_rows_;
      if (before >= rows_[table]) continue;  // a shorter table is through
      return Chunk{table, before + 1, before + std::min(chunk_rows_, rows_[table] - before)};
    }
  }

  std::uint64_t total_rows() const { return total_; }

 private:
  std::vector<std::uint64_t> rows_;
  std::uint64_t chunk_rows_;
  std::uint64_t rounds_ = 0;
  std::uint64_t total_ = 0;
  std::atomic<std::uint64_t> next_{0};
};

}  // namespace pgload::data
