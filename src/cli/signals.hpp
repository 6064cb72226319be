#pragma once

#include <atomic>
#include <thread>

namespace pgload::cli {

/// SIGINT, SIGTERM and SIGHUP of this process: the first is remembered and polled, the second ends the
/// process at once, unless it comes so soon that both are one wish. Make it before any other thread starts:
/// threads inherit the blocked mask. SIGPIPE is ignored: a closed stdout is a write error.
class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  /// The first signal's number, 0 while there is none.
  int received() const { return received_.load(); }

 private:
  void watch();

  std::atomic<int> received_{0};
  std::atomic<bool> ending_{false};
  std::thread watcher_;
};

}  // namespace pgload::cli
