#include "src/cli/signals.hpp"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

namespace pgload::cli {

namespace {

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
  while (::sigwait(&set, &number) == 0 && !ending_) {
    if (received_.exchange(number) != 0) ::_exit(128 + number);
  }
}

}  // namespace pgload::cli
