#pragma once

#include <optional>
#include <string>

#include "src/stats/run_result.hpp"

namespace pgload::stats {

/// The sessions that were busy, counted and by Little's law (L = throughput x mean latency; J. D. C. Little,
/// "A Proof for the Queuing Formula", 1961), must agree: else latencies or counts are not complete. A
/// sentence for the notes if they differ by more than a fifth and a session. Silent where they may differ:
/// pipelines (several transactions a session), failures (their time is no part of the mean), and runs so
/// short that transactions across their borders matter.
std::optional<std::string> little_disagreement(const RunResult& run);

}  // namespace pgload::stats
