#include "workloads/ycsb/key.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>

namespace {

using namespace workloads::ycsb;

std::string key(std::uint64_t number, KeyFormat format) {
  return std::string(KeyText(number, format).view());
}

TEST_CASE("hashes are YCSB's") {
  const std::pair<std::uint64_t, std::uint64_t> vectors[] = {
      {0, 6284781860667377211},       {1, 8517097267634966620},        {2, 1820151046732198393},
      {3, 4052466453699787802},       {9, 9105318085603802964},        {99, 6405349725575133178},
      {100, 879817313296471393},      {999, 2071219101098386137},      {999999, 2744965632448235251},
      {1000000, 1011632231655643464}, {2147483647, 627943977067101855}};
  for (const auto& [number, wanted] : vectors) CHECK(hash(number) == wanted);
}

TEST_CASE("keys are YCSB's, padded or not, hashed or in order") {
  CHECK(key(0, {}) == "user6284781860667377211");
  CHECK(key(0, {true, 24}) == "user000006284781860667377211");
  CHECK(key(999, {false, 8}) == "user00000999");
  CHECK(key(5, {false, 1}) == "user5");
  CHECK(key(0, {false, KeyText::kMaxDigits}) == "user" + std::string(KeyText::kMaxDigits, '0'));
  CHECK(key(~0ULL, {false, 1}) == "user18446744073709551615");
}

}  // namespace
