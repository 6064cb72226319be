#pragma once

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/cli/arguments.hpp"

namespace pgload::cli {

/// The values of options as quantities. What a value is not throws a UsageError that names the option, the
/// value and what is wanted.
class OptionReader {
 public:
  /// `values` must outlive it.
  explicit OptionReader(const Values& values) : values_(values) {}

  bool has(std::string_view name) const;
  /// On the command line, not in a config file: that may be one for all commands.
  bool is_typed(std::string_view name) const;
  std::optional<std::string> text(std::string_view name) const;
  bool is_on(std::string_view name) const;

  // The rest is for options that were given.
  std::chrono::nanoseconds duration(std::string_view name,
                                    std::chrono::nanoseconds min = std::chrono::nanoseconds(0)) const;
  std::uint64_t count(std::string_view name, std::uint64_t min, std::uint64_t max = UINT64_MAX) const;
  double ratio(std::string_view name) const;
  std::vector<double> steps(std::string_view name) const;
  std::vector<double> percentiles(std::string_view name) const;

  /// Leaves `target` as it is if the option was not given.
  void count(std::string_view name, std::uint32_t& target, std::uint32_t min, std::uint32_t max) const;

  /// The first choice if the option was not given.
  template <class T>
  T choice(std::string_view name, std::initializer_list<std::pair<std::string_view, T>> choices) const {
    const auto given = text(name);
    if (!given) return choices.begin()->second;
    std::string wanted;
    for (const auto& [word, value] : choices) {
      if (*given == word) return value;
      wanted += (wanted.empty() ? "" : ", ") + std::string(word);
    }
    refuse(name, "one of these is wanted: " + wanted);
  }

  [[noreturn]] void refuse(std::string_view name, std::string_view wanted) const;

 private:
  template <class Parse>
  auto parsed(std::string_view name, Parse parse) const;

  const Values& values_;
};

}  // namespace pgload::cli
