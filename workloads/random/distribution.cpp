#include "workloads/random/distribution.hpp"

#include <cassert>

namespace workloads::random {

Distribution::Distribution(const DistributionSpec& spec, std::int64_t low, std::int64_t high)
    : spec_(spec),
      low_(low),
      high_(high),
      width_(static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low)),
      count_(static_cast<double>(width_) + 1) {
  assert(low <= high);
  if (spec.type == DistributionSpec::Type::pareto) {
    pareto_power_ = std::log(spec.pareto_h) / std::log(1 - spec.pareto_h);
  } else if (spec.type == DistributionSpec::Type::zipfian) {
    zipf_s_ = 2 - integral_inverse(integral(2.5) - std::pow(2, -spec.zipfian_exponent));
    zipf_x1_ = integral(1.5) - 1;
    zipf_h_end_ = integral(count_ + 0.5);
  }
}

// expm1 and log1p keep the digits where the exponent is close to 1.
double Distribution::integral(double x) const {
  const double power = 1 - spec_.zipfian_exponent;
  return power == 0 ? std::log(x) : std::expm1(power * std::log(x)) / power;
}

double Distribution::integral_inverse(double y) const {
  const double power = 1 - spec_.zipfian_exponent;
  return power == 0 ? std::exp(y) : std::exp(std::log1p(std::max(power * y, -1.0)) / power);
}

}  // namespace workloads::random
