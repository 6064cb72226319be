#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "src/data/sql_text.hpp"
#include "workloads/api/data_set.hpp"
#include "workloads/api/insert_batch.hpp"
#include "workloads/api/row_writer.hpp"

namespace pgload::data {

/// One row as `(1, 2, 'text')`.
class RowText final : public workloads::api::RowWriter {
 public:
  void begin_row() override { text_ = "("; }
  void integer(std::int64_t value) override { put(std::to_string(value)); }
  void text(std::string_view value) override { put(quote_text(value)); }
  std::string finished() const { return text_ + ")"; }

 private:
  void put(std::string_view value) {
    if (text_.size() > 1) text_ += ", ";
    text_ += value;
  }
  std::string text_;
};

/// The INSERT that begins with row `next` and holds as many rows up to `last` as fit; moves `next` behind
/// them.
inline const std::string& next_insert(workloads::api::InsertBatch& batch,
                                      const workloads::api::TableSpec& table, std::uint64_t seed,
                                      std::uint64_t& next, std::uint64_t last) {
  batch.clear();
  RowText row;
  for (; next <= last; ++next) {
    table.write_row(row, seed, next);
    const std::string text = row.finished();
    if (!batch.empty() && !batch.fits(text.size())) break;
    batch.add(text);
  }
  return batch.text();
}

}  // namespace pgload::data
