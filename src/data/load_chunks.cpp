#include "src/data/load_chunks.hpp"

#include <fmt/format.h>

#include "src/data/insert_rows.hpp"
#include "src/data/jobs.hpp"
#include "src/data/sql_text.hpp"

namespace pgload::data {
namespace {

/// Large enough that framing and system calls do not count, small enough to stay in a processor's cache.
constexpr std::size_t kMessageBytes = std::size_t{128} << 10;

std::vector<std::uint64_t> row_counts(const std::vector<LoadTable>& tables) {
  std::vector<std::uint64_t> counts;
  for (const auto& table : tables) counts.push_back(table.spec->rows);
  return counts;
}

}  // namespace

Load::Load(std::vector<LoadTable> tables, const PreparePlan& plan)
    : tables_(std::move(tables)),
      seed_(plan.seed),
      by_insert_(plan.by_insert.value_or(false)),
      transactions_(plan.dialect != workloads::api::Dialect::risingwave),
      chunks_(row_counts(tables_), plan.chunk_rows) {
  for (const auto& table : tables_) copy_sql_.push_back(copy_statement(*table.spec));
}

asio::awaitable<void> Load::work(Lane& lane) {
  while (!lane.stopping()) {
    const auto chunk = chunks_.take();
    if (!chunk) co_return;
    Found found = Found::nothing;
    if (tables_[chunk->table].resume) found = co_await look(lane, *chunk);
    if (found == Found::all) {
      rows_done_ += chunk->rows();
    } else if (found == Found::some) {
      co_await replace(lane, *chunk);
    } else {
      co_await fill(lane, *chunk);
    }
  }
}

asio::awaitable<Load::Found> Load::look(Lane& lane, const Chunk& chunk) {
  const auto& spec = *tables_[chunk.table].spec;
  const std::string key = quote_name(spec.key);
  std::string sql = fmt::format("SELECT count(*), count(DISTINCT {}) FROM {} WHERE {}", key,
                                quote_name(spec.name), rows_between(spec, chunk.first, chunk.last));
  std::string what = "look for rows of " + spec.name;
  const auto rows = co_await lane.query(std::move(sql), std::move(what));
  const std::string wanted = std::to_string(chunk.rows());
  if (rows.at(0).at(0) == wanted && rows[0].at(1) == wanted) co_return Found::all;
  co_return rows[0][0] == "0" ? Found::nothing : Found::some;
}

asio::awaitable<void> Load::replace(Lane& lane, const Chunk& chunk) {
  const auto& spec = *tables_[chunk.table].spec;
  std::string sql = fmt::format("{}DELETE FROM {} WHERE {}", transactions_ ? "BEGIN; " : "",
                                quote_name(spec.name), rows_between(spec, chunk.first, chunk.last));
  std::string what = "delete half-loaded rows of " + spec.name;
  co_await lane.query(std::move(sql), std::move(what));
  co_await fill(lane, chunk);
  if (!transactions_) co_return;
  std::string commit = "COMMIT";
  std::string commit_what = doing(chunk);
  co_await lane.query(std::move(commit), std::move(commit_what));
}

asio::awaitable<void> Load::fill(Lane& lane, const Chunk& chunk) {
  if (by_insert_) {
    co_await insert(lane, chunk);
  } else {
    co_await copy(lane, chunk);
  }
}

asio::awaitable<void> Load::insert(Lane& lane, const Chunk& chunk) {
  const auto& spec = *tables_[chunk.table].spec;
  workloads::api::InsertBatch batch(insert_head(spec));
  std::uint64_t next = chunk.first;
  while (next <= chunk.last) {
    if (lane.stopping()) throw Interrupted();
    const std::uint64_t first = next;
    std::string sql = next_insert(batch, spec, seed_, next, chunk.last);
    const std::size_t bytes = sql.size();
    std::string what = doing(chunk);
    co_await lane.query(std::move(sql), std::move(what));
    rows_done_ += next - first;
    rows_sent_ += next - first;
    bytes_sent_ += bytes;
  }
}

asio::awaitable<void> Load::copy(Lane& lane, const Chunk& chunk) {
  auto& connection = lane.connection();
  const auto begun = co_await connection.copy_in_begin(copy_sql_[chunk.table]);
  lane.require(begun, doing(chunk));
  std::uint64_t next = chunk.first;
  while (next <= chunk.last) {
    if (lane.stopping()) throw Interrupted();
    const std::uint64_t encoded = encode(connection.out(), chunk, next);
    const std::size_t bytes = connection.out().size();
    const auto sent = co_await connection.copy_in_send();
    lane.require(sent, doing(chunk));
    next += encoded;
    rows_done_ += encoded;
    rows_sent_ += encoded;
    bytes_sent_ += bytes;
  }
  const auto ended = co_await connection.copy_in_end();
  lane.require(ended, doing(chunk));
}

/// One CopyData message of rows from `from` on; returns how many.
std::uint64_t Load::encode(proto_pg::wire::SendBuffer& out, const Chunk& chunk, std::uint64_t from) const {
  const LoadTable& table = tables_[chunk.table];
  proto_pg::wire::CopyBinaryWriter format(out);
  workloads::api::CopyRowWriter rows(format, table.types);
  const std::size_t begin = out.begin_message('d');
  if (from == chunk.first) format.header();
  std::uint64_t row = from;
  while (row <= chunk.last && out.size() < kMessageBytes) table.spec->write_row(rows, seed_, row++);
  if (row > chunk.last) format.trailer();
  out.end_message(begin);
  return row - from;
}

std::string Load::doing(const Chunk& chunk) const {
  return fmt::format("load rows {} to {} of {}", chunk.first, chunk.last, tables_[chunk.table].spec->name);
}

}  // namespace pgload::data
