#include "workloads/ycsb/key.hpp"

#include <algorithm>

namespace workloads::ycsb {

std::uint64_t hash(std::uint64_t number) {
  std::uint64_t result = 0xCBF29CE484222325;
  for (int byte = 0; byte < 8; ++byte) {
    result ^= number & 0xFF;
    result *= 1099511628211;
    number >>= 8;
  }
  return static_cast<std::int64_t>(result) < 0 ? ~result + 1 : result;
}

KeyText::KeyText(std::uint64_t number, const KeyFormat& format) : begin_(kSize) {
  std::uint64_t rest = format.hashed ? hash(number) : number;
  unsigned digits = 0;
  do {
    text_[--begin_] = static_cast<char>('0' + rest % 10);
    rest /= 10;
    ++digits;
  } while (rest > 0 || digits < format.zero_padding);
  begin_ -= kPrefix.size();
  std::ranges::copy(kPrefix, text_.begin() + static_cast<std::ptrdiff_t>(begin_));
}

}  // namespace workloads::ycsb
