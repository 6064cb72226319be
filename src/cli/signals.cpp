#include "src/cli/signals.hpp"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>

namespace pgload::cli {

namespace {

/// timeout(1) signals its child, then the whole process group: one wish arrives as two signals. Nobody
/// presses Ctrl-C twice that fast.
constexpr std::chrono::milliseconds kOneWish{250};

sigset_t watched() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&set, number);
  return set;
}

}  // namespace

Signals::Signals() {
  const sigset_t set = watched();
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  watcher_ = std::thread([this] { watch(); });
}

Signals::~Signals() {
  ending_ = true;
  ::pthread_kill(watcher_.native_handle(), SIGTERM);
  watcher_.join();
}

void Signals::watch() {
  const sigset_t set = watched();
  int number = 0;
  std::chrono::steady_clock::time_point first;
  while (::sigwait(&set, &number) == 0 && !ending_) {
    const auto now = std::chrono::steady_clock::now();
    if (received_ == 0) {
      first = now;
      received_ = number;
    } else if (now - first >= kOneWish) {
      ::_exit(128 + number);
    }
  }
}

}  // namespace pgload::cli
