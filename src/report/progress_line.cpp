#include "src/report/progress_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "src/report/format.hpp"

namespace pgload::report {
namespace {

using stats::Progress;
using Phase = Progress::Phase;

/// Shorter silences are no news: an interval without an end of a transaction.
constexpr double kSilence_s = 1;

/// A piece of the line; where space is short, the highest rank goes first.
struct Piece {
  int rank;
  std::string text;
};

std::string join(const std::vector<Piece>& pieces) {
  std::string line;
  for (const Piece& piece : pieces) {
    line += "  " + piece.text;
  }
  return line;
}

std::string fit(std::vector<Piece> pieces, std::size_t max_columns) {
  std::string line = join(pieces);
  while (max_columns > 0 && line.size() > max_columns && pieces.size() > 1) {
    pieces.erase(std::ranges::max_element(pieces, {}, &Piece::rank));
    line = join(pieces);
  }
  if (max_columns > 0 && line.size() > max_columns) {
    line.resize(max_columns);
  }
  return line;
}

std::string elapsed(const Progress& progress) {
  std::string_view phase;
  if (progress.phase == Phase::warmup) {
    phase = "warm-up ";
  } else if (progress.phase == Phase::drain) {
    phase = "draining ";
  }
  return fmt::format("{}{:.1f} s", phase, progress.elapsed_s);
}

std::vector<Piece> closed_loop_pieces(const Progress& progress) {
  return {
      {0, elapsed(progress)},
      {1, whole(progress.transactions_per_second) + " tps"},
      {7, whole(progress.queries_per_second) + " qps"},
      {2, "latency ms p50 " + milliseconds_of_us(progress.p50_us)},
      {8, "p95 " + milliseconds_of_us(progress.p95_us)},
      {5, "p99 " + milliseconds_of_us(progress.p99_us)},
      {9, "max " + milliseconds_of_us(progress.max_us)},
      {6, fmt::format("busy {}/{}", grouped(progress.busy), grouped(progress.open))},
      {10, fmt::format("retried {}", grouped(progress.retried))},
      {3, fmt::format("failed {}", grouped(progress.failed))},
  };
}

std::vector<Piece> open_loop_pieces(const Progress& progress) {
  const Progress::OpenLoop& open = *progress.open_loop;
  std::vector<Piece> pieces = {
      {0, elapsed(progress)},
      {2, fmt::format("arrived {}/s", whole(open.arrivals_per_second))},
      {1, fmt::format("done {}/s", whole(progress.transactions_per_second))},
      {2, "response ms p50 " + milliseconds_of_us(progress.p50_us)},
      {5, "p99 " + milliseconds_of_us(progress.p99_us)},
      {9, "max " + milliseconds_of_us(progress.max_us)},
      {3, fmt::format("queued {}", grouped(open.queued))},
      {6, fmt::format("busy {}/{}", grouped(progress.busy), grouped(progress.open))},
      {8, fmt::format("lag ms p99 {}", milliseconds_of_us(open.lag_p99_us))},
      {3, fmt::format("failed {}", grouped(progress.failed))},
  };
  if (open.queued > 0) {
    pieces.push_back({4, fmt::format("oldest {}", seconds(open.oldest_s))});
  }
  if (open.skipped > 0) {
    pieces.push_back({4, fmt::format("skipped {}", grouped(open.skipped))});
  }
  return pieces;
}

}  // namespace

std::string progress_line(const Progress& progress, std::size_t max_columns) {
  const std::string sessions = fmt::format("{}/{}", grouped(progress.open), grouped(progress.requested));
  if (progress.phase == Phase::connect) {
    return fit({{0, "connecting " + sessions}, {1, fmt::format("{:.1f} s", progress.elapsed_s)}},
               max_columns);
  }
  std::vector<Piece> pieces = progress.open_loop ? open_loop_pieces(progress) : closed_loop_pieces(progress);
  if (progress.silent_s >= kSilence_s) {
    pieces.push_back({1, fmt::format("SILENT {}", seconds(progress.silent_s))});
  }
  if (progress.open < progress.requested) {
    pieces.push_back({4, "open " + sessions});
  }
  if (progress.left_s >= 0 && progress.phase != Phase::drain) {
    pieces.push_back({4, whole(progress.left_s) + " s left"});
  }
  return fit(std::move(pieces), max_columns);
}

}  // namespace pgload::report
