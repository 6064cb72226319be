#include <algorithm>

#include "src/data/lanes.hpp"

namespace pgload::data {
namespace {

using workloads::api::Dialect;

/// YugabyteDB commits a COPY every 20,000 rows by itself: a chunk of no more is whole or not there.
constexpr std::uint64_t kYugabyteChunk = 20'000;

}  // namespace

PreparePlan settled(PreparePlan plan, Dialect dialect) {
  plan.dialect = dialect;
  if (dialect == Dialect::yugabyte) plan.chunk_rows = std::min(plan.chunk_rows, kYugabyteChunk);
  if (!plan.index_first) plan.index_first = dialect == Dialect::yugabyte;
  if (!plan.by_insert) plan.by_insert = dialect == Dialect::risingwave;
  if (dialect == Dialect::risingwave && !*plan.by_insert)
    throw DataError(
        "--load copy: RisingWave has no binary COPY FROM STDIN; leave it out, or say --load insert");
  return plan;
}

Dialect detect_dialect(const Target& target) {
  std::string version;
  run_lane(target, [&](Lane& lane) -> asio::awaitable<void> {
    std::string sql = "SELECT version()";
    const auto rows = co_await lane.query(std::move(sql), "ask for the version");
    version = rows.at(0).at(0).value_or("");
  });
  if (version.find("-YB-") != std::string::npos) return Dialect::yugabyte;
  if (version.find("RisingWave") != std::string::npos) return Dialect::risingwave;
  return Dialect::postgres;
}

}  // namespace pgload::data
