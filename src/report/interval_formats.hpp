#pragma once

#include <string>
#include <string_view>

#include "src/stats/finished_interval.hpp"

/// A run's intervals as they are written one by one while it lasts: a head, then lines for each interval.
namespace pgload::report {

/// HdrHistogram log 1.3: a histogram of service times for each kind and, with a rate, one of response times.
/// Tags are "<kind>.service" and "<kind>.response".
std::string hlog_head(std::string_view pgload_version, std::string_view started_at);
std::string hlog_lines(const stats::FinishedInterval& interval);

/// One JSON object a line, with the keys of the document's `intervals`.
std::string ndjson_line(const stats::IntervalResult& interval, bool open_loop);

std::string csv_head();
std::string csv_line(const stats::IntervalResult& interval, bool open_loop);

}  // namespace pgload::report
