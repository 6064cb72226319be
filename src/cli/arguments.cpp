#include "src/cli/arguments.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "src/cli/quantities.hpp"
#include "src/cli/usage_error.hpp"

namespace pgload::cli {
namespace {

const Option* find(std::span<const Option> options, std::string_view name) {
  const auto found = std::ranges::find(options, name, &Option::name);
  return found == options.end() ? nullptr : &*found;
}

/// "on" or "off", as the parser is to see it. A value may be what somebody takes for the password: never
/// shown.
std::string switch_value(const Option& option, const std::string& text) {
  if (option.name == "help" || option.name == "version")
    throw UsageError(fmt::format("--{} takes no value", option.name));
  try {
    return parse_switch(text) ? "on" : "off";
  } catch (const QuantityError&) {
    throw UsageError(fmt::format("--{} is a switch: it takes no value but on or off{}", option.name,
                                 option.name == "password"
                                     ? ", and asks for the password; without a terminal, use "
                                       "PGPASSWORD or a password file"
                                     : ""));
  }
}

/// "--table_size=1" -> "--table-size", "1": the parser would take the next argument for an empty value.
std::vector<std::string> separated(std::span<const std::string> arguments, std::span<const Option> options) {
  std::vector<std::string> list;
  for (std::string argument : arguments) {
    const auto equals = std::min(argument.find('='), argument.size());
    if (!argument.starts_with("--")) {
      list.push_back(std::move(argument));
      continue;
    }
    std::replace(argument.begin(), argument.begin() + static_cast<std::ptrdiff_t>(equals), '_', '-');
    const Option* option = find(options, std::string_view(argument).substr(2, equals - 2));
    if (!option || equals == argument.size()) {
      list.push_back(std::move(argument));
      continue;
    }
    if (option->value.empty()) {
      list.push_back(
          fmt::format("--{}={}", option->name, switch_value(*option, argument.substr(equals + 1))));
      continue;
    }
    list.push_back(argument.substr(0, equals));
    list.push_back(argument.substr(equals + 1));
  }
  return list;
}

CLI::Option* declare(CLI::App& parser, const Option& option) {
  std::string names;
  if (option.letter != 0) names = fmt::format("-{}", option.letter);
  if (option.name.size() > 1) names += (names.empty() ? "--" : ",--") + option.name;
  if (option.value.empty()) return parser.add_flag(names);
  auto* declared = parser.add_option(names);
  // A refused option is answered even where its value is missing.
  return option.group == Option::Group::refused ? declared->expected(0, 1) : declared->expected(1);
}

}  // namespace

Arguments take_apart(std::span<const std::string> arguments, std::span<const Option> options) {
  CLI::App parser;
  parser.set_help_flag();
  parser.allow_extras();
  std::vector<CLI::Option*> declared;
  for (const Option& option : options) {
    declared.push_back(declare(parser, option));
    declared.back()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  }
  std::vector<std::string> list = separated(arguments, options);
  std::ranges::reverse(list);  // the order in which CLI11 takes a vector
  const std::string last = list.empty() ? "" : list.front();
  try {
    parser.parse(list);
  } catch (const CLI::ArgumentMismatch&) {
    throw UsageError(fmt::format("{} needs a value{}", last,
                                 last == "-h" ? ", the host to connect to; for help: pgload --help" : ""));
  }
  Arguments taken;
  for (std::size_t i = 0; i < options.size(); ++i)
    if (declared[i]->count() > 0) {
      const auto results = declared[i]->results();
      std::string text = results.empty() ? "" : results.back();
      if (options[i].value.empty() && text != "off") text = "on";
      taken.values[options[i].name] = {std::move(text), ""};
    }
  bool options_ended = false;
  for (const std::string& rest : parser.remaining()) {
    if (rest == "--" && !options_ended) {
      options_ended = true;
    } else if (!options_ended && rest.size() > 1 && rest[0] == '-') {
      taken.unknown.push_back(rest);
    } else {
      taken.words.push_back(rest);
    }
  }
  return taken;
}

}  // namespace pgload::cli
