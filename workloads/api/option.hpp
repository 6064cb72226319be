#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace workloads::api {

/// An option that a workload declares: `--name value` on the command line, `name = value` in a config file, a
/// row in `pgload help <workload>` and a member of `workload.options` in the JSON. Names use '-' between
/// words.
struct OptionSpec {
  enum class Type : std::uint8_t { integer, real, boolean, text };

  std::string name;
  Type type = Type::integer;
  std::string default_value;  ///< as text; shown by help
  std::string help;           ///< half a line, no full stop
  std::int64_t min = 0;       ///< for integers, both ends included
  std::int64_t max = std::numeric_limits<std::int64_t>::max();
  std::vector<std::string> choices;  ///< for text: the allowed values; empty: any
};

/// Bad value of a workload option: a sentence for people.
struct OptionError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Values for a workload's declared options: checked at construction, then complete (defaults filled in).
class OptionValues {
 public:
  /// `given`: name -> text. Integers take the units k, M, G (decimal); booleans on/off/true/false/1/0.
  /// Throws OptionError for an undeclared name, junk, or a value out of range.
  OptionValues(std::span<const OptionSpec> specs, const std::map<std::string, std::string>& given);

  std::int64_t integer(std::string_view name) const;
  double real(std::string_view name) const;
  bool boolean(std::string_view name) const;
  const std::string& text(std::string_view name) const;
  /// False if the value is the default because nobody gave one.
  bool given(std::string_view name) const;

  /// All options in the order declared, as text, for reports.
  std::vector<std::pair<std::string, std::string>> all() const;

 private:
  struct Value {
    OptionSpec spec;
    std::string text;
    bool given = false;
  };
  const Value& at(std::string_view name) const;
  std::vector<Value> values_;
};

}  // namespace workloads::api
