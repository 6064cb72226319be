#include "src/engine/silences.hpp"

#include <algorithm>

namespace pgload::engine {

void Silences::keep(Stretch stretch) {
  *std::ranges::min_element(kept_, {}, &Stretch::length) = stretch;
  shortest_kept_ = std::ranges::min_element(kept_, {}, &Stretch::length)->length();
}

Silences Silences::common_with(const Silences& other) const {
  Silences common;
  for (const Stretch& one : kept_) {
    for (const Stretch& two : other.kept_) {
      const Stretch both{std::max(one.from, two.from), std::min(one.to, two.to)};
      if (both.length() > common.shortest_kept_) common.keep(both);
    }
  }
  return common;
}

Silences::Clock::duration Silences::longest() const {
  return std::ranges::max_element(kept_, {}, &Stretch::length)->length();
}

}  // namespace pgload::engine
