#include "workloads/ycsb/fields.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace {

using namespace workloads::ycsb;
using workloads::random::Generator;
using Names = std::vector<std::string>;

TEST_CASE("fields stand in the order of Java's HashMap") {
  CHECK(field_names("field", 10) == Names{"field1", "field0", "field7", "field6", "field9", "field8",
                                          "field3", "field2", "field5", "field4"});
  CHECK(field_names("field", 5) == Names{"field1", "field0", "field3", "field2", "field4"});
  const Names twelve = field_names("field", 12);
  CHECK(Names(twelve.begin(), twelve.begin() + 5) ==
        Names{"field11", "field1", "field0", "field10", "field7"});
}

TEST_CASE("values are of YCSB's characters, and as long as asked") {
  Generator random(1, 0);
  std::string text;
  append_random_text(text, 100'000, random);
  CHECK(text.size() == 100'000);
  CHECK(std::ranges::all_of(text, [](char c) { return c >= 32; }));
  // Every third position of a group of six reaches 127, every first only 63.
  char first = 0, third = 0;
  for (std::size_t i = 0; i + 6 <= text.size(); i += 6) {
    first = std::max(first, text[i]);
    third = std::max(third, text[i + 2]);
  }
  CHECK(first == 63);
  CHECK(third == 127);
  append_random_text(text, 1, random);
  CHECK(text.size() == 100'001);
}

TEST_CASE("lengths keep to their range") {
  Generator random(1, 0);
  using enum FieldLength::Distribution;
  CHECK(FieldLength(constant, 1, 100).draw(random) == 100);
  const FieldLength even(uniform, 3, 5), skewed(zipfian, 10, 1000);
  std::size_t least = 99, most = 0, tens = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::size_t length = even.draw(random);
    least = std::min(least, length);
    most = std::max(most, length);
    const std::size_t rank = skewed.draw(random);
    REQUIRE((rank >= 10 && rank <= 1000));
    tens += rank == 10;
  }
  CHECK(least == 3);
  CHECK(most == 5);
  CHECK(tens > 80);
  CHECK(tens < 200);
}

}  // namespace
