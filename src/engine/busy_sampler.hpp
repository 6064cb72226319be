#pragma once

#include "src/engine/run_facts.hpp"

namespace pgload::engine {

/// How many sessions have a transaction in flight, looked at some fifty times a second: exact counting would
/// cost all workers a shared counter.
class BusySampler {
 public:
  void sample(const Workers& workers, std::uint32_t open) {
    std::uint32_t busy = 0;
    for (const auto& worker : workers) busy += worker->recorder().busy_sessions();
    ++samples_;
    sum_ += busy;
    all_busy_ += busy >= open;
  }
  double mean() const { return share(sum_); }
  double all_busy_ratio() const { return share(all_busy_); }

 private:
  double share(std::uint64_t count) const {
    return samples_ > 0 ? static_cast<double>(count) / static_cast<double>(samples_) : 0;
  }

  std::uint64_t samples_ = 0, sum_ = 0, all_busy_ = 0;
};

}  // namespace pgload::engine
