#include "src/report/line_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace pgload::report {
namespace {

std::string sentence(const std::string& path, int error) {
  return "cannot write " + path + ": " + std::generic_category().message(error);
}

/// Empties what can be emptied: not a pipe, not a terminal.
int empty(int fd) {
  struct stat kind{};
  if (fstat(fd, &kind) != 0) {
    return errno;
  }
  return !S_ISREG(kind.st_mode) || ftruncate(fd, 0) == 0 ? 0 : errno;
}

}  // namespace

LineFile::LineFile(std::string path) : path_(std::move(path)) {
  fd_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (fd_ < 0) {
    throw std::runtime_error(sentence(path_, errno));
  }
}

LineFile::~LineFile() { close(fd_); }

void LineFile::append(std::string_view lines) {
  if (failure_) {
    return;
  }
  int error = std::exchange(empty_, true) ? 0 : empty(fd_);
  while (error == 0 && !lines.empty()) {
    const ssize_t written = write(fd_, lines.data(), lines.size());
    if (written >= 0) {
      lines.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  if (error != 0) {
    failure_ = sentence(path_, error);
  }
}

}  // namespace pgload::report
