#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "workloads/random/generator.hpp"

namespace workloads::random {

/// A distribution of keys by sysbench's formulas, over any range. It holds a few numbers and no table: the
/// size of the range costs neither time at the start nor memory.
struct DistributionSpec {
  enum class Type : std::uint8_t { uniform, gaussian, special, pareto, zipfian };

  Type type = Type::uniform;
  std::int64_t iterations = 12;   ///< gaussian, special: how many uniforms a bell's mean is of
  double special_percent = 1;     ///< special: share of the range, in its middle, that is hot …
  double special_requests = 75;   ///< … and the share of the draws that go there, in percent
  double pareto_h = 0.2;          ///< pareto: the share h of the range gets 1-h of the draws; 0 < h < 1
  double zipfian_exponent = 0.8;  ///< zipfian: P(k) ~ k^-exponent; not negative
};

/// Draws from [low, high], both ends included. Works with any generator that has `unit` and `between`.
class Distribution {
 public:
  Distribution(const DistributionSpec& spec, std::int64_t low, std::int64_t high);

  template <class Source>
  std::int64_t draw(Source& source) const {
    using enum DistributionSpec::Type;
    switch (spec_.type) {
      case gaussian:
        return at(mean_of_uniforms(source) * count_);
      case special:
        return draw_special(source);
      case pareto:
        return at(std::pow(source.unit(), pareto_power_) * count_);
      case zipfian:
        return at(draw_zipf(source) - 1);
      case uniform:
        break;
    }
    return source.between(low_, high_);
  }

  /// The constants of the zipfian sampler, for its tests.
  double zipf_s() const { return zipf_s_; }
  double zipf_x1() const { return zipf_x1_; }

 private:
  /// low + trunc(offset), and never beyond high: above 2^53 the product of a unit and the count may be
  /// rounded up to the count.
  std::int64_t at(double offset) const {
    const auto whole = offset >= 0x1p64 ? width_ : static_cast<std::uint64_t>(offset);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low_) + std::min(whole, width_));
  }

  template <class Source>
  double mean_of_uniforms(Source& source) const {
    double sum = 0;
    for (std::int64_t i = 0; i < spec_.iterations; ++i) sum += source.unit();
    return sum / static_cast<double>(spec_.iterations);
  }

  /// One draw decides between the bell over the whole range and the hot window in its middle, and places the
  /// key in the window too: so only the window's top `special_requests` percent are ever hit.
  template <class Source>
  std::int64_t draw_special(Source& source) const {
    const double span = count_ - 1;
    const double unit = source.unit();
    if (100 * unit < 100 - spec_.special_requests) return at(span * mean_of_uniforms(source));
    const double window = span * spec_.special_percent / 100;
    return at(unit * (window + 1) + span / 2 - window / 2);
  }

  /// From here on a key is rejected once in 10^16 draws (the share is e(e+1) / 24k^2): less than what
  /// rounding makes of the comparison that would find it.
  static constexpr double kNeverRejected = 0x1p26;

  /// Rejection-inversion (Hörmann, Derflinger: "Rejection-inversion to generate variates from monotone
  /// discrete distributions", 1996): exact, and about one round per draw whatever the range.
  template <class Source>
  double draw_zipf(Source& source) const {
    while (true) {
      const double v = zipf_h_end_ + source.unit() * (zipf_x1_ - zipf_h_end_);
      const double x = integral_inverse(v);
      const double k = std::clamp(std::round(x), 1.0, count_);
      if (k - x <= zipf_s_ || k > kNeverRejected ||
          v >= integral(k + 0.5) - std::pow(k, -spec_.zipfian_exponent))
        return k;
    }
  }

  /// H(x), an integral of x^-e that is 0 at 1: (x^(1-e) - 1) / (1-e), ln x for e = 1.
  double integral(double x) const;
  double integral_inverse(double y) const;

  DistributionSpec spec_;
  std::int64_t low_;
  std::int64_t high_;
  std::uint64_t width_;  ///< high - low
  double count_;         ///< high - low + 1
  double pareto_power_ = 1;
  double zipf_s_ = 0;
  double zipf_x1_ = 0;
  double zipf_h_end_ = 0;  ///< H(count + 1/2)
};

}  // namespace workloads::random
