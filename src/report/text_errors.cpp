#include "src/report/text_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "src/report/escape.hpp"
#include "src/report/format.hpp"

namespace pgload::report {
namespace {

using stats::ErrorClass;
using stats::ErrorResult;

constexpr std::size_t kLines = 10;

/// "40P01", "connect 53300", "timeout"; an error of the server without a code: "(none)".
std::string code_of(const ErrorResult& error) {
  const std::string sqlstate = visible(error.sqlstate, 10);
  if (error.error_class == ErrorClass::server) {
    return sqlstate.empty() ? "(none)" : sqlstate;
  }
  return fmt::format("{}{}{}", to_string(error.error_class), sqlstate.empty() ? "" : " ", sqlstate);
}

std::string place_of(const ErrorResult& error) {
  const std::string host = visible(error.host);
  return error.statement.empty() ? host : fmt::format("{}@{}", visible(error.statement, 40), host);
}

std::string retried_text(const ErrorResult& error) {
  if (error.retried == 0) {
    return "";
  }
  return error.retried == error.count ? ", all retried" : fmt::format(", {} retried", grouped(error.retried));
}

std::string when(const ErrorResult& error) {
  const std::string first = fmt::format("{:.1f}", error.first_s);
  const std::string last = fmt::format("{:.1f}", error.last_s);
  return first == last ? fmt::format("at {} s", first) : fmt::format("{} .. {} s", first, last);
}

std::string describe(const ErrorResult& error) {
  return fmt::format("{} {} {}{}, {}: {}", code_of(error), place_of(error), grouped(error.count),
                     retried_text(error), when(error), visible(error.message));
}

}  // namespace

std::string error_lines(const stats::RunResult& run) {
  std::vector<const ErrorResult*> errors;
  for (const ErrorResult& error : run.errors) {
    errors.push_back(&error);
  }
  // Equal ones stay in the order of the document, in which their addresses rise.
  std::ranges::sort(errors, [](const auto* a, const auto* b) {
    return a->count != b->count ? a->count > b->count : a < b;
  });

  std::string out;
  std::uint64_t not_shown = 0;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    if (i < kLines) {
      out += fmt::format("{:<12}{}\n", i == 0 ? "errors" : "", describe(*errors[i]));
    } else {
      not_shown += errors[i]->count;
    }
  }
  if (not_shown > 0) {
    out += fmt::format("{:<12}{} of {} other sorts (all of them: --json)\n", "", counted(not_shown, "error"),
                       grouped(errors.size() - kLines));
  }
  return out;
}

}  // namespace pgload::report
