#include "src/cli/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace pgload::cli {
namespace {

/// Optimal string alignment distance: three rows of the usual table.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replace, above[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view name, std::span<const std::string> candidates) {
  if (name.empty()) return std::nullopt;
  const std::size_t limit = name.size() < 4 ? 1 : name.size() / 3;
  std::optional<std::string> best;
  std::size_t least = limit + 1;
  for (const std::string& candidate : candidates) {
    const bool begun = name.size() >= 3 && candidate.starts_with(name);
    const std::size_t edits =
        begun ? std::min<std::size_t>(1, distance(name, candidate)) : distance(name, candidate);
    if (edits < least) {
      least = edits;
      best = candidate;
    }
  }
  return best;
}

std::string suggestion(std::string_view name, std::span<const std::string> candidates,
                       std::string_view prefix) {
  const auto found = nearest(name, candidates);
  return found ? fmt::format("; did you mean {}{}?", prefix, *found) : std::string();
}

}  // namespace pgload::cli
