#include "src/cli/verdict_options.hpp"

#include <fmt/format.h>

#include <chrono>
#include <string>

#include "src/cli/quantities.hpp"

namespace pgload::cli {
namespace {

struct Limit {
  std::string_view name;
  void (*set)(stats::VerdictLimits& limits, std::string_view value);
};

constexpr Limit kLimits[] = {
    {"client-share", [](auto& limits, auto value) { limits.client_share = parse_ratio(value); }},
    {"lag",
     [](auto& limits, auto value) {
       limits.lag_p99_ms = std::chrono::duration<double, std::milli>(parse_duration(value)).count();
     }},
    {"lag-share", [](auto& limits, auto value) { limits.lag_p99_share = parse_ratio(value); }},
    {"busy", [](auto& limits, auto value) { limits.busy_core = parse_ratio(value); }},
    {"busy-seconds", [](auto& limits, auto value) { limits.busy_seconds_share = parse_ratio(value); }},
    {"rate", [](auto& limits, auto value) { limits.rate_reached = parse_ratio(value); }},
    {"samples",
     [](auto& limits, auto value) {
       limits.samples_beyond = static_cast<std::uint32_t>(parse_count(value, 0, 1'000'000'000));
     }},
};

const Limit& limit_named(std::string_view name) {
  std::string all;
  for (const Limit& limit : kLimits) {
    if (limit.name == name) return limit;
    all += (all.empty() ? "" : ", ") + std::string(limit.name);
  }
  throw QuantityError(fmt::format("NAME=VALUE is wanted, with commas between them; the names are {}", all));
}

}  // namespace

stats::VerdictLimits parse_verdict_limits(std::string_view text) {
  stats::VerdictLimits limits;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    const std::string_view item = text.substr(begin, end - begin);
    const auto equals = std::min(item.find('='), item.size());
    const std::string_view name = item.substr(0, equals);
    const Limit& limit = limit_named(name);
    try {
      limit.set(limits, item.substr(std::min(equals + 1, item.size())));
    } catch (const QuantityError& error) {
      throw QuantityError(fmt::format("{}: {}", name, error.what()));
    }
    begin = end + 1;
  }
  return limits;
}

void read_verdict(const OptionReader& reader, CommandLine& line) {
  constexpr std::uint32_t kMost = 1'000'000;
  line.strict = reader.is_on("strict");
  if (const auto text = reader.text("verdict-limits")) {
    try {
      line.run.verdict_limits = parse_verdict_limits(*text);
    } catch (const QuantityError& error) {
      reader.refuse("verdict-limits", error.what());
    }
  }
  reader.count("receive-stamps", line.run.receive_stamps, 0, kMost);
}

}  // namespace pgload::cli
