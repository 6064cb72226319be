#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "src/stats/run_result.hpp"

namespace pgload::stats {

/// Results that are not those of one run on several clients: one sentence that names the difference.
struct MergeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct NamedResult {
  std::string name;  ///< for messages and rows: its file
  RunResult result;
};

/// The result of one run that several processes made: `parts`, at least two, whose windows overlap in
/// wall-clock time. Counts and histograms add up exactly, bucket for bucket; the window reaches from the
/// earliest start to the latest end; the worst outcome and every verdict stay. What the server counted is
/// taken from the first part that has it: all clients saw the same server.
RunResult merge_results(const std::vector<NamedResult>& parts);

/// Throws MergeError if they don't belong together.
void check_mergeable(const std::vector<NamedResult>& parts);

/// Intervals of all parts on one time line, `starts_s` being their windows' starts. The steps are those of
/// the part with the longest intervals; an interval of another part is added where its middle lies, so that
/// times may be off by half a step, but sums are exact. All drains are one.
std::vector<IntervalResult> merge_intervals(const std::vector<NamedResult>& parts,
                                            const std::vector<double>& starts_s);

}  // namespace pgload::stats
