#pragma once

#include <cstdint>

#include "src/engine/recorder.hpp"
#include "src/stats/transaction_sample.hpp"
#include "workloads/random/generator.hpp"

namespace pgload::engine {

/// One worker's raw records for --log-transactions: drawn at random, kept until the worker's next tick. On
/// the way of a transaction it costs a draw and a copy: no lock, no allocation, no formatting. Where there is
/// no room until the tick, samples are dropped and counted.
class TransactionSampler {
 public:
  static constexpr std::size_t kRoom = 1U << 16U;  ///< between two ticks: 1.3 million per second

  /// `share` of the transactions, 0..1; 0: none.
  TransactionSampler(double share, std::uint64_t seed, std::uint64_t worker);

  /// Of a transaction that arrived in the window.
  void note(const TransactionRecord& transaction, std::uint32_t session,
            stats::TransactionSample::Outcome outcome, const Window& window) {
    if (share_ == 0 || !window.contains(transaction.arrival)) return;
    if (share_ < 1 && random_.unit() >= share_) return;
    add(transaction, session, outcome, window);
  }
  bool empty() const { return taken_.samples.empty() && taken_.dropped == 0; }
  stats::TransactionSamples take();

 private:
  void add(const TransactionRecord& transaction, std::uint32_t session,
           stats::TransactionSample::Outcome outcome, const Window& window);

  double share_;
  workloads::random::Generator random_;
  stats::TransactionSamples taken_;
};

}  // namespace pgload::engine
