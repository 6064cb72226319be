#include "src/engine/transaction_sampler.hpp"

#include <chrono>
#include <utility>

namespace pgload::engine {

namespace {

/// Apart from the streams that sessions draw their keys from.
constexpr std::uint64_t kStreams = 0x5A4D'0000'0000'0000;

}  // namespace

TransactionSampler::TransactionSampler(double share, std::uint64_t seed, std::uint64_t worker)
    : share_(share), random_(seed, kStreams + worker) {
  if (share_ > 0) taken_.samples.reserve(kRoom);
}

void TransactionSampler::add(const TransactionRecord& transaction, std::uint32_t session,
                             stats::TransactionSample::Outcome outcome, const Window& window) {
  if (taken_.samples.size() == kRoom) {
    ++taken_.dropped;
    return;
  }
  const auto since_start = [&](Clock::time_point instant) {
    return std::chrono::nanoseconds(instant - window.start).count();
  };
  taken_.samples.push_back({since_start(transaction.arrival), since_start(transaction.dispatch),
                            since_start(transaction.completion), session, transaction.retries,
                            transaction.kind, transaction.host, outcome});
}

stats::TransactionSamples TransactionSampler::take() {
  stats::TransactionSamples taken = std::exchange(taken_, {});
  taken_.samples.reserve(kRoom);
  return taken;
}

}  // namespace pgload::engine
