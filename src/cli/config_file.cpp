#include "src/cli/config_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "src/cli/usage_error.hpp"

namespace pgload::cli {
namespace {

std::string trimmed(const std::string& text) {
  constexpr auto kSpaces = " \t\r";
  const auto begin = text.find_first_not_of(kSpaces);
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(kSpaces) + 1 - begin);
}

/// A value ends at its closing quote, or at a comment that stands apart from it.
std::string unquoted(const std::string& text, const std::string& source) {
  if (!text.empty() && (text[0] == '"' || text[0] == '\'')) {
    const auto end = text.find(text[0], 1);
    if (end == std::string::npos)
      throw UsageError(fmt::format("{}: the value's quote is not closed", source));
    const std::string rest = trimmed(text.substr(end + 1));
    if (!rest.empty() && rest[0] != '#')
      throw UsageError(fmt::format("{}: something follows the closing quote", source));
    return text.substr(1, end - 1);
  }
  return trimmed(text.substr(0, std::min(text.find(" #"), text.find("\t#"))));
}

}  // namespace

Values parse_config(std::istream& stream, const std::string& name) {
  Values values;
  int number = 0;
  for (std::string raw; std::getline(stream, raw);) {
    const std::string source = fmt::format("{} line {}", name, ++number);
    const std::string line = trimmed(raw);
    if (line.empty() || line[0] == '#' || line[0] == ';') continue;
    const auto equals = line.find('=');
    std::string option = trimmed(line.substr(0, equals));
    if (option.empty() || option[0] == '[' || option.find(' ') != std::string::npos)
      throw UsageError(
          fmt::format("{}: a line `name = value` is wanted, with the name of an option", source));
    std::ranges::replace(option, '_', '-');
    option.erase(0, std::min(option.find_first_not_of('-'), option.size()));
    values[option] = {equals == std::string::npos ? "on" : unquoted(trimmed(line.substr(equals + 1)), source),
                      source};
  }
  return values;
}

Values read_config(const std::string& file) {
  std::ifstream stream(file);
  if (!stream || stream.peek() == std::ifstream::traits_type::eof()) {
    const int error = errno;
    if (!stream.is_open() || stream.bad())
      throw UsageError(fmt::format("cannot read --config {}: {}", file, std::strerror(error)));
  }
  stream.clear();
  return parse_config(stream, file);
}

}  // namespace pgload::cli
