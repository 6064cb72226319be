#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace workloads::api {

/// The text of one INSERT of many rows, `head` and "(…),(…)", up to a size: sysbench's 512 KiB, so that the
/// same rows make the same statements.
class InsertBatch {
 public:
  static constexpr std::size_t kMaxBytes = 524'288;

  InsertBatch() = default;
  explicit InsertBatch(std::string_view head) { begin(head); }

  void begin(std::string_view head) {
    text_ = head;
    head_bytes_ = head.size();
  }
  bool empty() const { return text_.size() == head_bytes_; }
  /// Whether a row of so many bytes still goes in: it, a comma in front, a zero byte behind.
  bool fits(std::size_t row_bytes) const { return text_.size() + row_bytes + (empty() ? 1 : 2) <= kMaxBytes; }
  void add(std::string_view row) {
    if (!empty()) text_ += ',';
    text_ += row;
  }
  const std::string& text() const { return text_; }
  /// Forgets the rows, keeps head and memory.
  void clear() { text_.resize(head_bytes_); }

 private:
  std::string text_;
  std::size_t head_bytes_ = 0;
};

}  // namespace workloads::api
