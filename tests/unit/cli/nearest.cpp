#include "src/cli/nearest.hpp"

#include <doctest/doctest.h>

#include <vector>

using pgload::cli::nearest;
using pgload::cli::suggestion;

static const std::vector<std::string> kNames{"sessions",   "min-sessions", "time",
                                             "table-size", "tables",       "transactions"};

TEST_CASE("a slip of the finger finds the name") {
  CHECK(nearest("sesions", kNames) == "sessions");    // one left out
  CHECK(nearest("sessionss", kNames) == "sessions");  // one too many
  CHECK(nearest("zime", kNames) == "time");           // another one
  CHECK(nearest("itme", kNames) == "time");           // neighbours swapped
  CHECK(nearest("table-sizes", kNames) == "table-size");
  CHECK(nearest("trans", kNames) == "transactions");  // begun
}

TEST_CASE("what is far from everything is not guessed") {
  CHECK_FALSE(nearest("verbose", kNames));
  CHECK_FALSE(nearest("", kNames));
  CHECK_FALSE(nearest("x", kNames));
  CHECK_FALSE(nearest("time", {}));
}

TEST_CASE("the suggestion is half a sentence") {
  CHECK(suggestion("tim", kNames, "--") == "; did you mean --time?");
  CHECK(suggestion("verbose", kNames, "--").empty());
}
