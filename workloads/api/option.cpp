#include "workloads/api/option.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <system_error>

namespace workloads::api {

namespace {

[[noreturn]] void refuse(const OptionSpec& spec, const std::string& text, const std::string& wanted) {
  throw OptionError("--" + spec.name + " '" + text + "': " + wanted);
}

/// Decimal units behind a number: "20k" rows are 20,000.
std::optional<std::int64_t> unit(std::string_view suffix) {
  if (suffix.empty()) return 1;
  if (suffix == "k" || suffix == "K") return 1'000;
  if (suffix == "M" || suffix == "m") return 1'000'000;
  if (suffix == "G" || suffix == "g") return 1'000'000'000;
  return std::nullopt;
}

std::int64_t parse_integer(const OptionSpec& spec, const std::string& text) {
  const std::string range = "a whole number from " + std::to_string(spec.min) + " to " +
                            std::to_string(spec.max) + " is wanted (units k, M, G)";
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc()) refuse(spec, text, range);
  const auto factor = unit(std::string_view(parsed.ptr, static_cast<std::size_t>(end - parsed.ptr)));
  if (!factor) refuse(spec, text, range);
  std::int64_t value = 0;
  if (__builtin_mul_overflow(number, *factor, &value)) refuse(spec, text, range);
  if (value < spec.min || value > spec.max) refuse(spec, text, range);
  return value;
}

double parse_real(const OptionSpec& spec, const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end || !std::isfinite(value))
    refuse(spec, text, "a number is wanted");
  return value;
}

bool parse_boolean(const OptionSpec& spec, const std::string& text) {
  if (text == "on" || text == "true" || text == "1") return true;
  if (text == "off" || text == "false" || text == "0") return false;
  refuse(spec, text, "on or off is wanted");
}

void check_choice(const OptionSpec& spec, const std::string& text) {
  if (spec.choices.empty() || std::ranges::find(spec.choices, text) != spec.choices.end()) return;
  std::string wanted = "one of these is wanted:";
  for (const auto& choice : spec.choices) wanted += " " + choice;
  refuse(spec, text, wanted);
}

/// The value as reports show it: "20k" as 20000, "true" as on.
std::string checked(const OptionSpec& spec, const std::string& text) {
  switch (spec.type) {
    case OptionSpec::Type::integer:
      return std::to_string(parse_integer(spec, text));
    case OptionSpec::Type::boolean:
      return parse_boolean(spec, text) ? "on" : "off";
    case OptionSpec::Type::real:
      parse_real(spec, text);
      break;
    case OptionSpec::Type::text:
      check_choice(spec, text);
      break;
  }
  return text;
}

}  // namespace

OptionValues::OptionValues(std::span<const OptionSpec> specs,
                           const std::map<std::string, std::string>& given) {
  for (const auto& spec : specs) {
    const auto found = given.find(spec.name);
    const bool is_given = found != given.end();
    values_.push_back({spec, checked(spec, is_given ? found->second : spec.default_value), is_given});
  }
  for (const auto& [name, text] : given)
    if (std::ranges::none_of(specs, [&](const OptionSpec& spec) { return spec.name == name; }))
      throw OptionError("--" + name + ": this workload has no such option");
}

const OptionValues::Value& OptionValues::at(std::string_view name) const {
  const auto found =
      std::ranges::find_if(values_, [&](const Value& value) { return value.spec.name == name; });
  if (found == values_.end()) throw std::logic_error("undeclared workload option " + std::string(name));
  return *found;
}

std::int64_t OptionValues::integer(std::string_view name) const {
  return parse_integer(at(name).spec, at(name).text);
}

double OptionValues::real(std::string_view name) const { return parse_real(at(name).spec, at(name).text); }

bool OptionValues::boolean(std::string_view name) const {
  return parse_boolean(at(name).spec, at(name).text);
}

const std::string& OptionValues::text(std::string_view name) const { return at(name).text; }

bool OptionValues::given(std::string_view name) const { return at(name).given; }

std::vector<std::pair<std::string, std::string>> OptionValues::all() const {
  std::vector<std::pair<std::string, std::string>> list;
  for (const auto& value : values_) list.emplace_back(value.spec.name, value.text);
  return list;
}

}  // namespace workloads::api
