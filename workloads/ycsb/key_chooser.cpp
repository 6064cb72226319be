#include "workloads/ycsb/key_chooser.hpp"

#include <algorithm>
#include <cmath>

namespace workloads::ycsb {

namespace {

std::uint64_t uniform(random::Generator& random, std::uint64_t first, std::uint64_t count) {
  return first + static_cast<std::uint64_t>(random.between(0, static_cast<std::int64_t>(count) - 1));
}

}  // namespace

LatestKeys::LatestKeys(std::uint64_t last)
    : first_items_(std::max<std::uint64_t>(last, 1)), items_(first_items_), zeta_(zeta(first_items_)) {}

// Who finds another session extending the sum goes on with the one that there is: a few items behind.
double LatestKeys::zeta_of(std::uint64_t items) {
  if (items > items_.load(std::memory_order_relaxed) && !extending_.test_and_set()) {
    const std::uint64_t known = items_.load();
    if (items > known) {
      zeta_.store(zeta(items, known, zeta_.load()));
      items_.store(items);
    }
    extending_.clear();
  }
  return zeta_.load(std::memory_order_relaxed);
}

std::uint64_t LatestKeys::number(double unit, std::uint64_t last) {
  if (last == 0) return 0;
  const Zipfian ranks(last, zeta_of(last), first_items_);
  return last - ranks.rank(unit);
}

KeyChooser::KeyChooser(const KeyRange& range, const InsertCounter& inserts)
    : range_(range),
      inserts_(inserts),
      gamma_(-std::log(1 - range.exponential_percentile / 100) /
             (static_cast<double>(range.records) * range.exponential_share)) {
  if (range.distribution == RequestDistribution::zipfian)
    zipfian_.emplace(range.first, range.first + range.count + range.expected_inserts);
  if (range.distribution == RequestDistribution::latest) latest_.emplace(inserts.last());
}

std::uint64_t KeyChooser::draw(random::Generator& random) {
  while (true) {
    const std::uint64_t last = inserts_.last();
    const std::uint64_t number = draw_one(random, last);
    if (number <= last && !inserts_.is_missing(number)) return number;
  }
}

std::uint64_t KeyChooser::draw_one(random::Generator& random, std::uint64_t last) {
  switch (range_.distribution) {
    case RequestDistribution::zipfian:
      return zipfian_->number(random.unit());
    case RequestDistribution::latest:
      return latest_->number(random.unit(), last);
    case RequestDistribution::hotspot:
      return draw_hotspot(random);
    case RequestDistribution::exponential:
      return draw_exponential(random, last);
    case RequestDistribution::sequential:
      return range_.first + sequence_.fetch_add(1, std::memory_order_relaxed) % range_.count;
    case RequestDistribution::uniform:
      break;
  }
  return uniform(random, range_.first, range_.count);
}

std::uint64_t KeyChooser::draw_hotspot(random::Generator& random) const {
  const auto hot = static_cast<std::uint64_t>(static_cast<double>(range_.count) * range_.hotspot_data);
  const bool to_hot = random.unit() < range_.hotspot_operations;
  if ((to_hot && hot > 0) || hot == range_.count) return uniform(random, range_.first, hot);
  return uniform(random, range_.first + hot, range_.count - hot);
}

std::uint64_t KeyChooser::draw_exponential(random::Generator& random, std::uint64_t last) const {
  while (true) {
    const double distance = -std::log(1 - random.unit()) / gamma_;
    if (distance <= static_cast<double>(last)) return last - static_cast<std::uint64_t>(distance);
  }
}

}  // namespace workloads::ycsb
