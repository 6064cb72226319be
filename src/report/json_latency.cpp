// A latency object: the figures for people and scripts, then what restores the histogram exactly.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "src/report/format.hpp"
#include "src/report/hdr_encoding.hpp"
#include "src/report/json_archive.hpp"
#include "src/stats/verdict.hpp"

namespace pgload::report {
namespace {

using stats::LatencyHistogram;
using stats::PackedHistogram;

Json microseconds(std::optional<LatencyHistogram::Duration> latency) {
  return latency ? json_number(static_cast<double>(latency->count()) / 1e3, 3) : Json(nullptr);
}

/// 99.9 -> "p99_9": a key that needs no quotes in most languages.
std::string percentile_key(double p) {
  std::string key = percentile_name(p);
  std::ranges::replace(key, '.', '_');
  return key;
}

Json figures_of(const LatencyHistogram& histogram, const LatencyOptions& options) {
  const std::optional<double> mean_ns = histogram.mean_ns();
  Json json{{"count", histogram.count()},
            {"mean", mean_ns ? json_number(*mean_ns / 1e3, 3) : Json(nullptr)},
            {"min", microseconds(histogram.min())}};
  Json few = Json::array();
  for (const double p : options.percentiles) {
    json[percentile_key(p)] = microseconds(histogram.percentile(p));
    if (stats::too_few_samples(histogram, p, options.limits)) {
      few.push_back(percentile_key(p));
    }
  }
  json["max"] = microseconds(histogram.max());
  json["too_few_samples"] = std::move(few);
  return json;
}

constexpr std::int64_t kNoMin = LatencyHistogram::Exact().min_ns;

/// Exact values are integers of ns; the sum, which 64 bits may not hold, is two.
void exact_fields(auto& archive, auto& exact, auto& min_ns, auto& max_ns) {
  archive.count("at_least", exact.at_least);
  archive.count("saturated", exact.saturated);
  archive.count("sum_s", exact.sum_s);
  archive.count("sum_ns", exact.sum_ns);
  archive.count("min_ns", min_ns);
  archive.count("max_ns", max_ns);
}

}  // namespace

void JsonWriter::packed(const PackedHistogram& packed) {
  const std::int64_t min = packed.exact.min_ns;
  const std::optional<std::uint64_t> min_ns =
      min == kNoMin ? std::nullopt : std::optional<std::uint64_t>(min);
  const std::optional<std::uint64_t> max_ns =
      packed.empty() ? std::nullopt : std::optional<std::uint64_t>(packed.exact.max_ns);
  exact_fields(*this, packed.exact, min_ns, max_ns);
  text("hdr", packed.empty() ? "" : hdr_base64(packed));
}

void JsonWriter::latency(const char* key, const LatencyHistogram& histogram) {
  Json json = figures_of(histogram, latency_);
  JsonWriter inner(json, latency_);
  inner.packed(stats::pack(histogram));
  object_[key] = std::move(json);
}

void JsonWriter::latency(const char* key, const std::optional<LatencyHistogram>& histogram) {
  object_[key] = nullptr;
  if (histogram) {
    latency(key, *histogram);
  }
}

void JsonWriter::latency_if_any(const char* key, const LatencyHistogram& histogram) {
  latency(key, histogram.empty() ? std::nullopt : std::optional(histogram));
}

void JsonReader::packed(PackedHistogram& packed) {
  std::optional<std::uint64_t> min_ns, max_ns;
  std::string hdr;
  exact_fields(*this, packed.exact, min_ns, max_ns);
  text("hdr", hdr);
  packed.exact.min_ns = static_cast<std::int64_t>(min_ns.value_or(kNoMin));
  packed.exact.max_ns = static_cast<std::int64_t>(max_ns.value_or(0));
  auto counts = hdr.empty() ? std::optional(std::string()) : counts_of_hdr(hdr);
  if (!counts) {
    refuse("hdr", "is no histogram of pgload's range and precision");
  }
  packed.counts = std::move(*counts);
  if (!stats::unpack(packed)) {
    refuse("hdr", "contradicts the values beside it");
  }
}

void JsonReader::latency(const char* key, LatencyHistogram& histogram) {
  object(key, [&](JsonReader& inner) {
    PackedHistogram packed;
    inner.packed(packed);
    histogram = std::move(*stats::unpack(packed));
  });
}

void JsonReader::latency(const char* key, std::optional<LatencyHistogram>& histogram) {
  histogram.reset();
  if (!at(key).is_null()) {
    latency(key, histogram.emplace());
  }
}

void JsonReader::latency_if_any(const char* key, LatencyHistogram& histogram) {
  std::optional<LatencyHistogram> found;
  latency(key, found);
  histogram = found ? std::move(*found) : LatencyHistogram();
}

}  // namespace pgload::report
