#include "workloads/ycsb/insert_counter.hpp"

namespace workloads::ycsb {

namespace {

constexpr std::uint64_t kBits = 64;

constexpr std::uint64_t word_of(std::uint64_t number) { return number % InsertCounter::kWindow / kBits; }
constexpr std::uint64_t bit_of(std::uint64_t number) { return std::uint64_t{1} << number % kBits; }

}  // namespace

InsertCounter::InsertCounter(std::uint64_t first)
    : next_(first), settled_(first), window_(new std::atomic<std::uint64_t>[kWindow / kBits]()) {}

void InsertCounter::settle(std::uint64_t number) {
  if (number - settled_.load() >= kWindow) return;
  window_[word_of(number)].fetch_or(bit_of(number));
  advance();
}

// Who finds another one advancing leaves the rest to it; that one looks again after it has let go.
void InsertCounter::advance() {
  while (true) {
    std::uint64_t at = settled_.load();
    if ((window_[word_of(at)].load() & bit_of(at)) == 0) return;
    if (advancing_.test_and_set()) return;
    at = settled_.load();
    while ((window_[word_of(at)].load() & bit_of(at)) != 0) {
      window_[word_of(at)].fetch_and(~bit_of(at));
      ++at;
      settled_.store(at);
    }
    advancing_.clear();
  }
}

void InsertCounter::give_up(std::uint64_t number) {
  {
    const std::lock_guard lock(mutex_);
    missing_.insert(number);
  }
  any_missing_.store(true);
  settle(number);
}

bool InsertCounter::is_missing(std::uint64_t number) const {
  if (!any_missing_.load(std::memory_order_acquire)) return false;
  const std::lock_guard lock(mutex_);
  return missing_.contains(number);
}

}  // namespace workloads::ycsb
