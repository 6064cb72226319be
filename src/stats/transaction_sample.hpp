#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pgload::stats {

/// One transaction of the window as it was, for --log-transactions. Times in ns since the window's start.
struct TransactionSample {
  enum class Outcome : std::uint8_t { completed, failed, unfinished };

  std::int64_t arrival_ns = 0;     ///< the planned start; without a rate the same as dispatch
  std::int64_t dispatch_ns = 0;    ///< the actual start
  std::int64_t completion_ns = 0;  ///< of an unfinished one: when it was given up
  std::uint32_t session = 0;
  std::uint32_t retries = 0;
  std::uint16_t kind = 0;
  std::uint16_t host = 0;
  Outcome outcome = Outcome::completed;
};

/// What one worker sampled since it last handed something on.
struct TransactionSamples {
  std::vector<TransactionSample> samples;
  std::uint64_t dropped = 0;  ///< sampled, but there was no room for them
};

/// What the numbers in samples stand for.
struct SampleNames {
  std::string started_at;  ///< of the window (RunResult)
  std::vector<std::string> kinds, hosts;
};

}  // namespace pgload::stats
