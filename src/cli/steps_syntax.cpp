#include "src/cli/steps_syntax.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "src/cli/quantities.hpp"

namespace pgload::cli {
namespace {

constexpr std::size_t kMostSteps = 1000;

[[noreturn]] void refuse() {
  throw QuantityError(
      "steps are wanted, ascending and above 0, such as 1,2,4..1024 (doubling), 1000..50000x1.5 or "
      "10..100+10");
}

double number(std::string_view text) {
  const std::optional<double> value = parse_real(text);
  if (!value || !(*value > 0)) refuse();
  return *value;
}

void add(std::vector<double>& steps, double step) {
  if (!steps.empty() && step <= steps.back()) refuse();
  if (steps.size() == kMostSteps) throw QuantityError(fmt::format("at most {} steps are wanted", kMostSteps));
  steps.push_back(step);
}

void add_range(std::vector<double>& steps, double first, std::string_view rest) {
  const auto sign = std::min(rest.find_first_of("x+"), rest.size());
  const double last = number(rest.substr(0, sign));
  const bool times = sign == rest.size() || rest[sign] == 'x';
  const double growth = sign == rest.size() ? 2 : number(rest.substr(sign + 1));
  if ((times && growth <= 1) || last <= first) refuse();
  // What is within a thousandth of the last step is the last.
  for (double step = first; step < last * 0.999; step = times ? step * growth : step + growth)
    add(steps, step);
  add(steps, last);
}

}  // namespace

std::vector<double> parse_steps(std::string_view text) {
  std::vector<double> steps;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    const auto dots = part.find("..");
    if (dots == std::string_view::npos) {
      add(steps, number(part));
    } else {
      add_range(steps, number(part.substr(0, dots)), part.substr(dots + 2));
    }
    begin = end + 1;
  }
  return steps;
}

}  // namespace pgload::cli
