#pragma once

#include "src/report/json_archive.hpp"
#include "src/stats/run_result.hpp"

/// The document's parts, in its order. Each is a list of fields for both directions: `Archive` is a
/// JsonWriter with a const Run, or a JsonReader with one to be filled. Defined in json_<name>.cpp.
namespace pgload::report {

template <class Archive, class Run>
void offer_fields(Archive& archive, Run& run);  ///< what was run, how load was offered, how it ended
template <class Archive, class Run>
void count_fields(Archive& archive, Run& run);  ///< transactions, queries, all latencies together
template <class Archive, class Run>
void row_fields(Archive& archive, Run& run);  ///< by kind, statement, host, error
template <class Archive, class Run>
void party_fields(Archive& archive, Run& run);  ///< the server and what it counted, the client
template <class Archive, class Run>
void trust_fields(Archive& archive, Run& run);  ///< self-check, verdicts, what a closed loop hides
template <class Archive, class Run>
void interval_fields(Archive& archive, Run& run);

}  // namespace pgload::report

/// Makes both directions of one part.
#define PGLOAD_BOTH_DIRECTIONS(fields)                                                \
  template void fields(pgload::report::JsonWriter&, const pgload::stats::RunResult&); \
  template void fields(pgload::report::JsonReader&, pgload::stats::RunResult&)
