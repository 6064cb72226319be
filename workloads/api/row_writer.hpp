#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <string_view>

#include "proto_pg/wire/copy_format.hpp"

namespace workloads::api {

/// How a column of an existing table wants its values in a binary COPY.
enum class ColumnType : std::uint8_t { int4, int8, text };

/// Takes the rows of one table, value by value in the order of its columns.
class RowWriter {
 public:
  virtual ~RowWriter() = default;
  virtual void begin_row() = 0;
  virtual void integer(std::int64_t value) = 0;
  virtual void text(std::string_view value) = 0;
};

/// For binary COPY: the workload says the values, the table's own columns say how wide they are (a table that
/// another program made may have `integer` where ours has `bigint`).
class CopyRowWriter final : public RowWriter {
 public:
  /// `types`: one per column in COPY order; must outlive the writer.
  CopyRowWriter(proto_pg::wire::CopyBinaryWriter& out, std::span<const ColumnType> types)
      : out_(out), types_(types), column_(types.size()) {}

  void begin_row() override {
    assert(column_ == types_.size());
    out_.begin_row(types_.size());
    column_ = 0;
  }
  /// `value` fits the column: the loader has checked the table's size against its types.
  void integer(std::int64_t value) override {
    if (types_[column_++] == ColumnType::int8)
      out_.put_int8(value);
    else
      out_.put_int4(static_cast<std::int32_t>(value));
  }
  void text(std::string_view value) override {
    assert(types_[column_] == ColumnType::text);
    ++column_;
    out_.put_text(value);
  }

 private:
  proto_pg::wire::CopyBinaryWriter& out_;
  std::span<const ColumnType> types_;
  std::size_t column_;
};

}  // namespace workloads::api
