#include <fmt/format.h>

#include <chrono>
#include <iterator>

#include "src/report/hdr_encoding.hpp"
#include "src/report/interval_formats.hpp"
#include "src/stats/packed_histogram.hpp"
#include "src/stats/wall_clock.hpp"

namespace pgload::report {
namespace {

/// A tag ends at a comma; readers that split by blanks would end it there.
std::string tag_of(std::string_view kind, std::string_view measure) {
  std::string tag(kind);
  for (char& letter : tag) {
    if (letter == ',' || static_cast<unsigned char>(letter) <= ' ') {
      letter = '_';
    }
  }
  return tag + '.' + std::string(measure);
}

void append_line(std::string& out, const std::string& tag, const stats::IntervalResult& interval,
                 const stats::LatencyHistogram& histogram) {
  if (histogram.empty()) {
    return;
  }
  // The maximum is in ms, as readers of such logs expect.
  const double max_ms = static_cast<double>(histogram.max()->count()) / 1e6;
  fmt::format_to(std::back_inserter(out), "Tag={},{:.3f},{:.3f},{:.3f},{}\n", tag, interval.start_s,
                 interval.length_s, max_ms, hdr_base64(stats::pack(histogram)));
}

}  // namespace

std::string hlog_head(std::string_view pgload_version, std::string_view started_at) {
  const auto time = stats::parse_utc(started_at).value_or(stats::WallTime());
  const double epoch_s = std::chrono::duration<double>(time.time_since_epoch()).count();
  return fmt::format(
      "#[Histogram log format version 1.3]\n"
      "#[Logged by pgload {}. Values: latencies in ns. Interval_Max: in ms. Times: seconds since StartTime]\n"
      "#[Tags: <kind>.service from dispatch, <kind>.response from the planned start. Nothing is corrected]\n"
      "#[StartTime: {:.3f} (seconds since epoch), {}]\n"
      "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n",
      pgload_version, epoch_s, started_at);
}

std::string hlog_lines(const stats::FinishedInterval& interval) {
  std::string out;
  for (const auto& kind : interval.kinds) {
    append_line(out, tag_of(kind.name, "service"), interval.summary, kind.service);
    append_line(out, tag_of(kind.name, "response"), interval.summary, kind.response);
  }
  return out;
}

}  // namespace pgload::report
