#pragma once

namespace pgload::cli {

/// What the shell gets (README, "Exit codes").
enum class ExitCode : int {
  good = 0,
  usage = 1,       ///< bad usage, or the set-up failed: nothing was measured
  run_failed = 2,  ///< nothing completed, aborted, or more failed than --max-failed
  not_valid = 4,   ///< by verdict, with --strict
  hung_up = 129,   ///< 128 + the signal, as shells count
  interrupted = 130,
  terminated = 143,
};

}  // namespace pgload::cli
