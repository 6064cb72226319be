#pragma once

#include <cstdint>
#include <optional>

#include "src/engine/admission.hpp"
#include "src/engine/recorder.hpp"
#include "src/engine/run_plan.hpp"
#include "workloads/random/generator.hpp"

namespace pgload::engine {

/// When one session starts its transactions. Lives with its session.
struct Pace {
  workloads::random::Generator think_draws;
  std::uint32_t session;                ///< number in this process, from 0
  Clock::time_point last_completion{};  ///< none yet: before the first transaction
};

/// What a session is to do next.
struct Start {
  Clock::time_point now;                     ///< when this was decided
  Clock::time_point when;                    ///< not before it; may have passed
  std::optional<Clock::time_point> arrival;  ///< of the planned transaction; none in a closed loop
};

/// Tells the sessions of one worker when to start: at once, after a think time, when the profile of sessions
/// lets them take part, or at the next arrival of the schedule. The session loop knows none of these.
class Pacer {
 public:
  using ReadClock = Clock::time_point (*)();

  Pacer(const RunPlan& plan, Admission& admission, Recorder& recorder, ReadClock read_clock = Clock::now)
      : plan_(plan), admission_(admission), recorder_(recorder), read_clock_(read_clock) {}

  void begin(Window window);

  /// The session's next start; nullopt: there is none.
  std::optional<Start> next(Pace& pace);

  struct Claim {
    Clock::time_point arrival;
    Clock::time_point dispatch;
    bool was_free = false;  ///< the session waited for this arrival: what it is late is the client's fault
    std::uint32_t count = 0;
  };
  /// At `start.when` or later: `count` transactions to dispatch now, at most `most`; 0: it is over.
  Claim claim(const Start& start, std::uint32_t most);

 private:
  std::optional<Start> next_arrival();
  Clock::time_point after_thinking(Pace& pace, Clock::time_point now) const;
  std::uint64_t first_due_from(ArrivalSchedule::Offset oldest, std::uint64_t claimed);
  void skip(std::uint64_t claimed, Clock::time_point now);

  const RunPlan& plan_;
  Admission& admission_;
  Recorder& recorder_;
  ReadClock read_clock_;
  Window window_;
  std::optional<ArrivalSchedule::Cursor> cursor_;  ///< only with a rate
};

}  // namespace pgload::engine
