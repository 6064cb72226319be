#include "src/cli/password_prompt.hpp"

#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "src/cli/usage_error.hpp"

namespace pgload::cli {
namespace {

constexpr char kInterrupt = 3;  // Ctrl-C

/// No echo; Ctrl-C ends the line instead of killing a process that has switched the echo off.
class Silent {
 public:
  explicit Silent(int terminal) : terminal_(terminal) {
    ::tcgetattr(terminal_, &before_);
    termios silent = before_;
    silent.c_lflag &= ~static_cast<tcflag_t>(ECHO | ISIG);
    silent.c_cc[VEOL] = kInterrupt;
    ::tcsetattr(terminal_, TCSAFLUSH, &silent);
  }
  ~Silent() { ::tcsetattr(terminal_, TCSAFLUSH, &before_); }
  Silent(const Silent&) = delete;
  Silent& operator=(const Silent&) = delete;

 private:
  int terminal_;
  termios before_{};
};

void say(int terminal, const std::string& text) {
  // If even the prompt cannot be written, the answer decides.
  [[maybe_unused]] const auto written = ::write(terminal, text.data(), text.size());
}

std::optional<std::string> read_line(int terminal) {
  std::string line;
  for (;;) {
    std::array<char, 256> piece{};
    const ssize_t count = ::read(terminal, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::nullopt;
    line.append(piece.data(), static_cast<std::size_t>(count));
    if (line.back() == kInterrupt) return std::nullopt;
    if (line.back() == '\n') {
      line.pop_back();
      return line;
    }
  }
}

}  // namespace

std::optional<std::string> ask_password(const std::string& user, const std::string& terminal) {
  const int opened = ::open(terminal.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (opened < 0 || !::isatty(opened)) {
    if (opened >= 0) ::close(opened);
    throw UsageError(
        "--password (-W) asks on a terminal, and there is none: use PGPASSWORD or a password file");
  }
  std::optional<std::string> password;
  {
    const Silent silent(opened);
    say(opened, "Password for user " + user + ": ");
    password = read_line(opened);
    say(opened, "\n");
  }
  ::close(opened);
  return password;
}

}  // namespace pgload::cli
