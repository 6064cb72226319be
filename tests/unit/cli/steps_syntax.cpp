#include "src/cli/steps_syntax.hpp"

#include <doctest/doctest.h>

#include "src/cli/quantities.hpp"

using pgload::cli::parse_steps;
using Steps = std::vector<double>;

TEST_CASE("steps are listed, doubled, multiplied or added") {
  CHECK(parse_steps("1,2,4..64") == Steps{1, 2, 4, 8, 16, 32, 64});
  CHECK(parse_steps("5") == Steps{5});
  CHECK(parse_steps("10..40+10") == Steps{10, 20, 30, 40});
  CHECK(parse_steps("1k..2kx1.5") == Steps{1000, 1500, 2000});
  CHECK(parse_steps("3..100") == Steps{3, 6, 12, 24, 48, 96, 100});
  CHECK(parse_steps("1..1.331x1.1").size() == 4);  // no fifth by rounding
}

TEST_CASE("what is no list of ascending steps is refused") {
  for (const char* text : {"", "0", "-1", "1,", ",1", "2,1", "1,1", "1..", "..4", "4..2", "1..4x1",
                           "1..4x0.5", "1..4+0", "1..4-1", "x", "1..1e9+1", "1 2"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_steps(text), pgload::cli::QuantityError);
  }
}
