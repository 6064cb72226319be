#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <optional>

#include "src/report/interval_formats.hpp"

namespace pgload::report {
namespace {

/// A line of cells; what does not exist is an empty one.
class Row {
 public:
  void add(std::uint64_t count) { add_text(fmt::format("{}", count)); }
  void add(double number) { add_text(fmt::format("{}", std::round(number * 1e3) / 1e3)); }
  template <class T>
  void add(const std::optional<T>& value) {
    value ? add(*value) : add_text("");
  }
  void add_if(bool exists, std::uint64_t count) { exists ? add(count) : add_text(""); }
  std::string text() const { return text_ + '\n'; }

 private:
  void add_text(std::string_view cell) {
    if (!first_) {
      text_ += ',';
    }
    first_ = false;
    text_ += cell;
  }

  std::string text_;
  bool first_ = true;
};

}  // namespace

std::string csv_head() {
  return "start_s,length_s,drain,completed,failed,completed_per_s,busy_sessions,arrivals,skipped,queued,"
         "mean_us,p50_us,p95_us,p99_us,max_us,response_p50_us,response_p95_us,response_p99_us,response_max_"
         "us\n";
}

std::string csv_line(const stats::IntervalResult& interval, bool open_loop) {
  Row row;
  row.add(interval.start_s);
  row.add(interval.length_s);
  row.add(std::uint64_t{interval.drain});
  row.add(interval.completed);
  row.add(interval.failed);
  row.add(interval.length_s > 0 ? std::optional(static_cast<double>(interval.completed) / interval.length_s)
                                : std::nullopt);
  row.add(std::uint64_t{interval.busy_sessions});
  for (const std::uint64_t count : {interval.arrivals, interval.skipped, interval.queued}) {
    row.add_if(open_loop, count);
  }
  for (const auto* us : {&interval.mean_us, &interval.p50_us, &interval.p95_us, &interval.p99_us,
                         &interval.max_us, &interval.response_p50_us, &interval.response_p95_us,
                         &interval.response_p99_us, &interval.response_max_us}) {
    row.add(*us);
  }
  return row.text();
}

}  // namespace pgload::report
