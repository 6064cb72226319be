#include "src/cli/option_reader.hpp"

#include <fmt/format.h>

#include "src/cli/quantities.hpp"
#include "src/cli/steps_syntax.hpp"
#include "src/cli/usage_error.hpp"

namespace pgload::cli {

bool OptionReader::has(std::string_view name) const { return values_.contains(name); }

bool OptionReader::is_typed(std::string_view name) const {
  const auto found = values_.find(name);
  return found != values_.end() && found->second.source.empty();
}

std::optional<std::string> OptionReader::text(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::nullopt : std::optional(found->second.text);
}

template <class Parse>
auto OptionReader::parsed(std::string_view name, Parse parse) const {
  try {
    return parse(values_.find(name)->second.text);
  } catch (const QuantityError& error) {
    refuse(name, error.what());
  }
}

bool OptionReader::is_on(std::string_view name) const {
  return values_.contains(name) && parsed(name, [](const std::string& text) { return parse_switch(text); });
}

std::chrono::nanoseconds OptionReader::duration(std::string_view name, std::chrono::nanoseconds min) const {
  const auto value = parsed(name, [](const std::string& text) { return parse_duration(text); });
  if (value < min) refuse(name, "a duration above 0 is wanted");
  return value;
}

std::uint64_t OptionReader::count(std::string_view name, std::uint64_t min, std::uint64_t max) const {
  return parsed(name, [&](const std::string& text) { return parse_count(text, min, max); });
}

double OptionReader::ratio(std::string_view name) const {
  return parsed(name, [](const std::string& text) { return parse_ratio(text); });
}

std::vector<double> OptionReader::steps(std::string_view name) const {
  return parsed(name, [](const std::string& text) { return parse_steps(text); });
}

std::vector<double> OptionReader::percentiles(std::string_view name) const {
  return parsed(name, [](const std::string& text) { return parse_percentiles(text); });
}

void OptionReader::count(std::string_view name, std::uint32_t& target, std::uint32_t min,
                         std::uint32_t max) const {
  if (has(name)) target = static_cast<std::uint32_t>(count(name, std::uint64_t{min}, std::uint64_t{max}));
}

void OptionReader::refuse(std::string_view name, std::string_view wanted) const {
  const auto found = values_.find(name);
  const bool elsewhere = found != values_.end() && !found->second.source.empty();
  throw UsageError(fmt::format("--{} '{}'{}: {}", name, found == values_.end() ? "" : found->second.text,
                               elsewhere ? " (" + found->second.source + ")" : "", wanted));
}

}  // namespace pgload::cli
