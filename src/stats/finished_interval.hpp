#pragma once

#include <string_view>
#include <vector>

#include "src/stats/run_result.hpp"

namespace pgload::stats {

/// An interval as it is handed on while the run lasts, with what its summary does not hold.
struct FinishedInterval {
  struct Kind {
    std::string_view name;
    const LatencyHistogram& service;   ///< of completed transactions
    const LatencyHistogram& response;  ///< empty in a closed loop
  };

  const IntervalResult& summary;
  std::vector<Kind> kinds;
  std::string_view started_at;  ///< of the window (RunResult)
  bool open_loop = false;
};

}  // namespace pgload::stats
