#pragma once

#include <string>
#include <string_view>

namespace pgload::report {

/// A file that is opened before the run, so that a path that can't be written to is found out at once, and
/// that appears under its name only when complete: written to a temporary file beside it, then renamed. What
/// is no regular file (/dev/null, a pipe) is written to directly.
///
/// Both steps throw std::runtime_error with a sentence that names the path and the reason.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  /// Without a commit, leaves nothing behind and an older file of that name as it was.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Writes all of `text` and makes it the content of the file. Once.
  void commit(std::string_view text);

 private:
  void open_temporary(unsigned mode);
  [[noreturn]] void fail(int error) const;

  std::string path_;       ///< as given: for messages
  std::string target_;     ///< behind symbolic links
  std::string temporary_;  ///< empty: written to directly
  int fd_ = -1;
};

}  // namespace pgload::report
