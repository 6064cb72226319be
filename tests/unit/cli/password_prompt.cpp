#include "src/cli/password_prompt.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include <thread>

#include "src/cli/usage_error.hpp"

using pgload::cli::ask_password;

namespace {

/// A terminal with somebody who types once the prompt has appeared.
struct Terminal {
  Terminal() {
    keyboard = ::posix_openpt(O_RDWR | O_NOCTTY);
    REQUIRE(keyboard >= 0);
    REQUIRE(::grantpt(keyboard) == 0);
    REQUIRE(::unlockpt(keyboard) == 0);
    name = ::ptsname(keyboard);
    open = ::open(name.c_str(), O_RDWR | O_NOCTTY);  // keeps the settings between prompts
  }
  ~Terminal() {
    ::close(open);
    ::close(keyboard);
  }

  std::optional<std::string> answer(const std::string& keys) {
    std::thread typist([&] {
      while (screen.find(": ") == std::string::npos) read_screen();
      if (::write(keyboard, keys.data(), keys.size()) < 0) ::abort();
    });
    const auto password = ask_password("alice", name);
    typist.join();
    pollfd state{keyboard, POLLIN, 0};
    while (::poll(&state, 1, 0) == 1) read_screen();
    return password;
  }
  void read_screen() {
    char piece[256];
    const ssize_t count = ::read(keyboard, piece, sizeof piece);
    if (count > 0) screen.append(piece, static_cast<std::size_t>(count));
  }
  bool echoes() const {
    termios settings{};
    ::tcgetattr(open, &settings);
    return (settings.c_lflag & ECHO) != 0 && (settings.c_lflag & ISIG) != 0;
  }

  int keyboard = -1;
  int open = -1;
  std::string name;
  std::string screen;
};

}  // namespace

TEST_CASE("what is typed is the password, and is not shown") {
  Terminal terminal;
  CHECK(terminal.answer("s3cret word\n") == "s3cret word");
  CHECK(terminal.screen.find("Password for user alice: ") == 0);
  CHECK(terminal.screen.find("s3cret") == std::string::npos);
  CHECK(terminal.echoes());
}

TEST_CASE("Ctrl-C and the end of the input are no password, and the echo comes back") {
  for (const char* keys : {"half\x03", "\x04"}) {
    Terminal terminal;
    CHECK(terminal.answer(keys) == std::nullopt);
    CHECK(terminal.echoes());
  }
}

TEST_CASE("without a terminal: what to use instead") {
  for (const char* name : {"/nonexistent", "/dev/null"})
    CHECK_THROWS_WITH_AS(ask_password("alice", name), doctest::Contains("PGPASSWORD"),
                         pgload::cli::UsageError);
}
