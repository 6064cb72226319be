#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "src/data/chunk_list.hpp"
#include "src/data/lanes.hpp"

namespace pgload::data {

/// One table of a load.
struct LoadTable {
  const workloads::api::TableSpec* spec = nullptr;
  std::vector<workloads::api::ColumnType> types;  ///< of its columns, in COPY order
  bool resume = false;                            ///< rows may be there: look before each chunk
};

/// Fills tables by binary COPY or by INSERTs, as many chunks at once as there are lanes.
class Load {
 public:
  Load(std::vector<LoadTable> tables, const PreparePlan& plan);

  /// What each lane does: chunk after chunk until none is left.
  asio::awaitable<void> work(Lane& lane);

  /// Any thread may ask.
  std::uint64_t total_rows() const { return chunks_.total_rows(); }
  std::uint64_t rows_done() const { return rows_done_; }  ///< with those that were found
  std::uint64_t rows_sent() const { return rows_sent_; }
  std::uint64_t bytes_sent() const { return bytes_sent_; }

 private:
  enum class Found : std::uint8_t { nothing, some, all };

  asio::awaitable<Found> look(Lane& lane, const Chunk& chunk);
  asio::awaitable<void> replace(Lane& lane, const Chunk& chunk);
  asio::awaitable<void> fill(Lane& lane, const Chunk& chunk);
  asio::awaitable<void> copy(Lane& lane, const Chunk& chunk);
  asio::awaitable<void> insert(Lane& lane, const Chunk& chunk);
  std::uint64_t encode(proto_pg::wire::SendBuffer& out, const Chunk& chunk, std::uint64_t from) const;
  std::string doing(const Chunk& chunk) const;

  std::vector<LoadTable> tables_;
  std::vector<std::string> copy_sql_;
  std::uint64_t seed_;
  bool by_insert_;
  bool transactions_;  ///< the product has some of several statements
  ChunkList chunks_;
  std::atomic<std::uint64_t> rows_done_{0};
  std::atomic<std::uint64_t> rows_sent_{0};
  std::atomic<std::uint64_t> bytes_sent_{0};
};

}  // namespace pgload::data
