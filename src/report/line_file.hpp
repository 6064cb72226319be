#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pgload::report {

/// A file that grows line by line and is whole after each: what a killed process leaves behind can be used.
/// It is opened, but not emptied, before the run, so that a path that can't be written to is found out at
/// once: throws std::runtime_error with a sentence.
///
/// A write that fails later must not end a run: it is remembered, and nothing more is written.
class LineFile {
 public:
  explicit LineFile(std::string path);
  ~LineFile();
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  /// Whole lines, with their ends. The first ones replace what was in the file.
  void append(std::string_view lines);
  /// "cannot write run.csv: No space left on device", if a write failed.
  const std::optional<std::string>& failure() const { return failure_; }

 private:
  std::string path_;
  int fd_ = -1;
  bool empty_ = false;
  std::optional<std::string> failure_;
};

}  // namespace pgload::report
