#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "workloads/api/data_set.hpp"
#include "workloads/api/dialect.hpp"
#include "workloads/random/text_template.hpp"
#include "workloads/sysbench/options.hpp"

namespace workloads::sysbench {

/// Groups of 11 random digits: the texts of the columns c and pad, and of their shorter forms.
inline constexpr std::string_view kTextC =
    "###########-###########-###########-###########-###########-"
    "###########-###########-###########-###########-###########";
inline constexpr std::string_view kTextPad = kTextC.substr(0, 59);
inline constexpr std::string_view kShortC = kTextC.substr(0, 59);
inline constexpr std::string_view kShortPad = kTextC.substr(0, 35);

/// A random text of one of these patterns.
class RandomText {
 public:
  RandomText(std::string_view pattern, random::Generator& generator) : size_(pattern.size()) {
    random::fill_template(pattern, generator, {bytes_.data(), size_});
  }
  std::string_view view() const { return {bytes_.data(), size_}; }

 private:
  std::array<char, kTextC.size()> bytes_;
  std::size_t size_;
};

/// Table `number` of the family as sysbench, or its fork for the product, makes and fills it: same columns,
/// types, defaults and indexes. A sequence behind `id` stands at the last row at the end, so that inserts
/// without an id go on from there.
api::TableSpec oltp_table(std::int64_t number, const Options& options, api::Dialect dialect);

}  // namespace workloads::sysbench
