#include "src/report/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace pgload::report {
namespace {

/// Permissions that open(2) would give to a new file.
unsigned default_mode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666U & ~mask;
}

std::string behind_links(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr), &std::free);
  return real ? std::string(real.get()) : path;
}

/// 0, or the errno of the write that failed.
int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(fd, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)), target_(behind_links(path_)) {
  if (path_.empty()) {
    fail(ENOENT);
  }
  struct stat existing{};
  if (stat(target_.c_str(), &existing) != 0) {
    if (errno != ENOENT) {
      fail(errno);
    }
    open_temporary(default_mode());
    return;
  }
  if (S_ISDIR(existing.st_mode)) {
    fail(EISDIR);
  }
  if (!S_ISREG(existing.st_mode)) {
    fd_ = open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd_ < 0) {
      fail(errno);
    }
    return;
  }
  if (access(target_.c_str(), W_OK) != 0) {  // renaming would get around a file's write protection
    fail(errno);
  }
  open_temporary(existing.st_mode & 07777U);
}

void OutputFile::open_temporary(unsigned mode) {
  std::string name = target_ + ".XXXXXX";
  fd_ = mkostemp(name.data(), O_CLOEXEC);
  if (fd_ < 0) {
    fail(errno);
  }
  temporary_ = std::move(name);
  fchmod(fd_, mode);  // where a file system has no permissions, the file is good without
}

OutputFile::~OutputFile() {
  if (fd_ >= 0) {
    close(fd_);
  }
  if (!temporary_.empty()) {
    unlink(temporary_.c_str());
  }
}

void OutputFile::commit(std::string_view text) {
  int error = write_all(fd_, text);
  if (error == 0 && !temporary_.empty() && fsync(fd_) != 0) {
    error = errno;
  }
  if (close(std::exchange(fd_, -1)) != 0 && error == 0) {
    error = errno;
  }
  if (error == 0 && !temporary_.empty()) {
    if (rename(temporary_.c_str(), target_.c_str()) == 0) {
      temporary_.clear();
    } else {
      error = errno;
    }
  }
  if (error != 0) {
    fail(error);
  }
}

void OutputFile::fail(int error) const {
  throw std::runtime_error("cannot write " + path_ + ": " + std::generic_category().message(error));
}

}  // namespace pgload::report
