#include "src/stats/sweep.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <vector>

using pgload::stats::RunResult;

namespace {

std::size_t saturation(std::initializer_list<std::uint64_t> completed) {
  std::vector<RunResult> steps;
  for (const std::uint64_t count : completed) {
    RunResult& step = steps.emplace_back();
    step.duration_s = 1;
    step.transactions.completed_in_window = count;
  }
  return pgload::stats::saturation_step(steps);
}

}  // namespace

TEST_CASE("throughput stops growing at the first step that is nearly the best") {
  CHECK(saturation({100, 200, 390, 700, 710, 720, 650}) == 3);
  CHECK(saturation({100, 200, 400}) == 2);
  CHECK(saturation({100}) == 0);
  CHECK(saturation({0, 0}) == 0);
  CHECK(saturation({500, 100, 400}) == 0);
}
