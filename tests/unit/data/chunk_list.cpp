#include "src/data/chunk_list.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>

using pgload::data::ChunkList;

namespace {

/// "0:1-3 1:1-3 …": table, first and last row of each chunk in the order taken.
std::string all(std::vector<std::uint64_t> rows, std::uint64_t chunk_rows) {
  ChunkList list(std::move(rows), chunk_rows);
  std::string text;
  while (const auto chunk = list.take())
    text += std::to_string(chunk->table) + ":" + std::to_string(chunk->first) + "-" +
            std::to_string(chunk->last) + " ";
  return text;
}

}  // namespace

TEST_CASE("chunks cover each table, the tables in turn") {
  CHECK(all({7}, 3) == "0:1-3 0:4-6 0:7-7 ");
  CHECK(all({6}, 3) == "0:1-3 0:4-6 ");
  CHECK(all({5, 5}, 3) == "0:1-3 1:1-3 0:4-5 1:4-5 ");
  CHECK(all({2, 7}, 3) == "0:1-2 1:1-3 1:4-6 1:7-7 ");
  CHECK(all({1}, 100'000) == "0:1-1 ");
}

TEST_CASE("nothing to load") {
  CHECK(all({}, 3).empty());
  CHECK(all({0, 0}, 3).empty());
}

TEST_CASE("a taken-up list stays empty") {
  ChunkList list({1}, 10);
  CHECK(list.take());
  CHECK_FALSE(list.take());
  CHECK_FALSE(list.take());
}

TEST_CASE("rows beyond 32 and near 64 bits") {
  ChunkList large({10'000'000'000}, 3'000'000'000);
  CHECK(large.total_rows() == 10'000'000'000);
  std::uint64_t rows = 0;
  while (const auto chunk = large.take()) rows += chunk->rows();
  CHECK(rows == 10'000'000'000);

  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  ChunkList huge({kMost}, kMost / 2);
  std::uint64_t last = 0;
  while (const auto chunk = huge.take()) {
    CHECK(chunk->first == last + 1);
    last = chunk->last;
  }
  CHECK(last == kMost);
}
