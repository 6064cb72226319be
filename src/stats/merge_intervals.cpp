#include <algorithm>
#include <utility>

#include "src/stats/interval_series.hpp"
#include "src/stats/merge_results.hpp"

namespace pgload::stats {
namespace {

double longest_of(const NamedResult& part) {
  double longest = 0;
  for (const IntervalResult& interval : part.result.intervals)
    if (!interval.drain) longest = std::max(longest, interval.length_s);
  return longest;
}

IntervalResult shifted(IntervalResult interval, double by_s) {
  interval.start_s += by_s;
  return interval;
}

/// Adds another client's interval of about the same time: what both have at its end adds up.
void join(IntervalResult& interval, const IntervalResult& other) {
  add_counts(interval, other);
  interval.busy_sessions += other.busy_sessions;
  interval.queued += other.queued;
}

/// One client's part of an interval that takes several of its own: at the end there is what the last one had.
IntervalResult collapsed(const std::vector<IntervalResult>& own) {
  IntervalResult sum = own.front();
  for (std::size_t i = 1; i < own.size(); ++i) {
    add_counts(sum, own[i]);
    sum.busy_sessions = own[i].busy_sessions;
    sum.queued = own[i].queued;
  }
  return sum;
}

/// The interval that contains the instant, or the nearest one.
std::size_t place_of(const std::vector<IntervalResult>& line, double instant_s) {
  const auto after = std::ranges::upper_bound(line, instant_s, {}, &IntervalResult::start_s);
  return after == line.begin() ? 0 : static_cast<std::size_t>(after - line.begin()) - 1;
}

/// Intervals outside the line make it longer; the others go where their middle lies.
void add_part(std::vector<IntervalResult>& line, const std::vector<IntervalResult>& intervals,
              double start_s) {
  std::vector<std::vector<IntervalResult>> own(line.size());
  std::vector<IntervalResult> outside;
  const double begin = line.empty() ? 0 : line.front().start_s;
  const double end = line.empty() ? 0 : line.back().start_s + line.back().length_s;
  for (const IntervalResult& interval : intervals) {
    if (interval.drain) continue;
    const IntervalResult here = shifted(interval, start_s);
    const double middle = here.start_s + here.length_s / 2;
    if (middle < begin || middle >= end) {
      outside.push_back(here);
    } else {
      own[place_of(line, middle)].push_back(here);
    }
  }
  for (std::size_t i = 0; i < own.size(); ++i)
    if (!own[i].empty()) join(line[i], collapsed(own[i]));
  line.insert(line.end(), outside.begin(), outside.end());
  std::ranges::sort(line, {}, &IntervalResult::start_s);
}

}  // namespace

std::vector<IntervalResult> merge_intervals(const std::vector<NamedResult>& parts,
                                            const std::vector<double>& starts_s) {
  std::size_t coarsest = 0;
  for (std::size_t i = 1; i < parts.size(); ++i)
    if (longest_of(parts[i]) > longest_of(parts[coarsest])) coarsest = i;
  std::vector<IntervalResult> line;
  add_part(line, parts[coarsest].result.intervals, starts_s[coarsest]);
  IntervalResult drain;
  drain.drain = true;
  bool drained = false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i != coarsest) add_part(line, parts[i].result.intervals, starts_s[i]);
    for (const IntervalResult& interval : parts[i].result.intervals) {
      if (!interval.drain) continue;
      join(drain, interval);
      drained = true;
    }
  }
  if (drained) line.push_back(std::move(drain));
  return line;
}

}  // namespace pgload::stats
