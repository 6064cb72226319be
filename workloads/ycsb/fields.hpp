#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/random/generator.hpp"
#include "workloads/ycsb/zipfian.hpp"

namespace workloads::ycsb {

/// "field0" … in the order in which YCSB's INSERTs and full UPDATEs name them: that of Java's HashMap.
std::vector<std::string> field_names(std::string_view prefix, std::uint64_t count);

/// Appends `bytes` characters as YCSB's: 32 to 127, quotes and backslashes among them.
void append_random_text(std::string& out, std::size_t bytes, random::Generator& random);

/// How long a value is.
class FieldLength {
 public:
  enum class Distribution : std::uint8_t { constant, uniform, zipfian };

  FieldLength(Distribution distribution, std::uint64_t shortest, std::uint64_t longest);
  std::size_t draw(random::Generator& random) const;

 private:
  Distribution distribution_;
  std::uint64_t shortest_, longest_;
  Zipfian ranks_;
};

}  // namespace workloads::ycsb
