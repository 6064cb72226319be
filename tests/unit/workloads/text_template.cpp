#include "workloads/random/text_template.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>

#include "tests/unit/workloads/chi_square.hpp"

using namespace workloads::random;
using workloads::testing::chi_square;

namespace {

std::string filled(std::string_view pattern, std::uint64_t seed) {
  Generator generator(seed, 0);
  std::string out(pattern.size(), '?');
  fill_template(pattern, generator, out);
  return out;
}

}  // namespace

TEST_CASE("only the marks are replaced") {
  CHECK(filled("", 1).empty());
  CHECK(filled("no mark", 1) == "no mark");
  const auto text = filled("a#-##", 1);
  CHECK(text.substr(0, 1) == "a");
  CHECK(text[2] == '-');
  for (const std::size_t at : {1u, 3u, 4u}) CHECK((text[at] >= '0' && text[at] <= '9'));
}

TEST_CASE("the same generator gives the same text, another one another text") {
  const std::string pattern(59, '#');
  CHECK(filled(pattern, 1) == filled(pattern, 1));
  CHECK(filled(pattern, 1) != filled(pattern, 2));
}

TEST_CASE("each digit is uniform at each position") {
  constexpr std::size_t kPositions = 40;  // more than two draws of the generator
  std::array<std::array<std::uint64_t, 10>, kPositions> cells{};
  const std::string pattern(kPositions, '#');
  for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
    const auto text = filled(pattern, seed);
    for (std::size_t i = 0; i < kPositions; ++i) ++cells[i][static_cast<std::size_t>(text[i] - '0')];
  }
  double all = 0;
  for (const auto& position : cells) {
    CHECK(chi_square(position) < 32);  // 9 degrees of freedom: one in 5,000
    all += chi_square(position);
  }
  // 360 degrees of freedom: deviation 26.8.
  CHECK(all > 270);
  CHECK(all < 450);
}

TEST_CASE("neighbouring digits are independent") {
  std::array<std::uint64_t, 100> cells{};
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    const auto text = filled(std::string(50, '#'), seed);
    for (std::size_t i = 0; i + 1 < text.size(); i += 2)
      ++cells[static_cast<std::size_t>((text[i] - '0') * 10 + text[i + 1] - '0')];
  }
  CHECK(chi_square(cells) > 40);
  CHECK(chi_square(cells) < 160);
}
