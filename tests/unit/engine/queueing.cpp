// Sessions of several workers are one queue: seeded arrivals and service times go through the parts that
// decide when a transaction starts, by a virtual clock, and through the first-come-first-served recursion of
// a queue with so many servers (Kiefer and Wolfowitz 1955); each arrival must fare alike in both.

#include <doctest/doctest.h>

#include <cmath>
#include <deque>
#include <queue>

#include "src/engine/backlog.hpp"
#include "src/engine/pacer.hpp"
#include "tests/unit/engine/virtual_clock.hpp"

using namespace std::chrono_literals;
using namespace pgload::engine;
using pgload::stats::LatencyHistogram;
using pgload::stats::RunResult;

namespace {

struct Scenario {
  std::uint32_t sessions = 1;
  double load = 0.9;  ///< rate x mean service time / sessions
  std::optional<Clock::duration> skip_after{};
  Clock::duration window = 20s;
};

constexpr double kRate = 1000;
const Clock::time_point kOrigin = Clock::now() + 1h;

ArrivalSchedule schedule() { return ArrivalSchedule(LoadProfile(kRate), ArrivalKind::poisson, 42); }

std::vector<Clock::time_point> arrivals_before(Clock::time_point end) {
  const ArrivalSchedule planned = schedule();
  ArrivalSchedule::Cursor cursor(planned);
  std::vector<Clock::time_point> arrivals;
  for (std::uint64_t k = 0; kOrigin + cursor.at(k) < end; ++k) arrivals.push_back(kOrigin + cursor.at(k));
  return arrivals;
}

/// Exponential, a function of the arrival's number: whoever serves it.
Clock::duration service_time(const Scenario& scenario, std::uint64_t arrival) {
  workloads::random::Generator draws(7, arrival);
  const double mean_s = scenario.load * scenario.sessions / kRate;
  return std::chrono::nanoseconds(std::llround(-mean_s * std::log1p(-draws.unit()) * 1e9));
}

/// What became of each arrival of the window: when it started, if it did.
struct Fates {
  std::vector<std::optional<Clock::time_point>> dispatch;
  std::uint64_t skipped = 0, queued = 0;
  LatencyHistogram response, queue;

  bool operator==(const Fates& other) const {
    const auto same = [](const LatencyHistogram& one, const LatencyHistogram& two) {
      return one.exact() == two.exact() && std::ranges::equal(one.counts(), two.counts());
    };
    return dispatch == other.dispatch && skipped == other.skipped && queued == other.queued &&
           same(response, other.response) && same(queue, other.queue);
  }
};

Fates recursion(const Scenario& scenario) {
  Fates fates;
  std::vector<Clock::time_point> free_at(scenario.sessions, kOrigin);
  const Clock::time_point end = kOrigin + scenario.window;
  for (const Clock::time_point arrival : arrivals_before(end)) {
    Clock::time_point& free = *std::ranges::min_element(free_at);
    const Clock::time_point start = std::max(arrival, free);
    const std::uint64_t k = fates.dispatch.size();
    fates.dispatch.emplace_back();
    if (start >= end) {
      ++fates.queued;
      fates.response.record_at_least(end - arrival);
    } else if (scenario.skip_after && start - arrival > *scenario.skip_after) {
      ++fates.skipped;
    } else {
      fates.dispatch.back() = start;
      free = start + service_time(scenario, k);
      fates.response.record(free - arrival);
      fates.queue.record(start - arrival);
    }
  }
  return fates;
}

/// The engine's parts, with a calendar of events in place of an event loop.
class Engine {
 public:
  Engine(const Scenario& scenario, std::size_t workers)
      : scenario_(scenario), arrivals_(arrivals_before(kOrigin + scenario.window)) {
    VirtualClock::now = kOrigin;
    plan_.skip_after = scenario.skip_after;
    const Window window{kOrigin, kOrigin + scenario.window};
    admission_.plan({schedule(), kOrigin, 0}, {});
    admission_.end_at(window.end);
    for (std::size_t i = 0; i < workers; ++i) {
      recorders_.emplace_back(1, 0, 1, admission_);
      recorders_.back().set_window(window);
      pacers_.emplace_back(plan_, admission_, recorders_.back(), VirtualClock::read);
      pacers_.back().begin(window);
    }
    for (std::uint32_t i = 0; i < scenario.sessions; ++i)
      sessions_.push_back({{workloads::random::Generator(1, i), i}, i % workers, {}, {}});
  }

  Fates run() {
    fates_.dispatch.resize(arrivals_.size());
    CHECK(Backlog(admission_).planned_before(kOrigin + scenario_.window) == arrivals_.size());
    for (Session& session : sessions_) find_work(session);
    while (!calendar_.empty()) {
      const Event event = calendar_.top();
      calendar_.pop();
      VirtualClock::now = event.when;
      if (event.woken) {
        dispatch(sessions_[event.session]);
      } else {
        complete(sessions_[event.session]);
      }
    }
    return result();
  }

 private:
  struct Session {
    Pace pace;
    std::size_t worker;
    Start start;
    TransactionRecord record;
  };
  struct Event {
    Clock::time_point when;
    std::uint32_t session;
    bool woken;  ///< else its transaction is complete
    bool operator<(const Event& other) const { return when > other.when; }
  };

  void find_work(Session& session) {
    const auto start = pacers_[session.worker].next(session.pace);
    if (!start) return;
    session.start = *start;
    if (start->when > start->now) {
      // Those that will not be woken before the end are woken then.
      const Clock::time_point end = kOrigin + scenario_.window;
      calendar_.push({std::min(start->when, end), session.pace.session, true});
    } else {
      dispatch(session);
    }
  }

  void dispatch(Session& session) {
    const Pacer::Claim claim = pacers_[session.worker].claim(session.start, 1);
    if (claim.count == 0) return;
    const auto found = std::ranges::lower_bound(arrivals_, claim.arrival);
    const auto number = static_cast<std::uint64_t>(found - arrivals_.begin());
    fates_.dispatch.at(number) = claim.dispatch;
    session.record = {};
    session.record.good = true;
    session.record.was_free = claim.was_free;
    session.record.arrival = claim.arrival;
    session.record.dispatch = claim.dispatch;
    session.record.completion = claim.dispatch + service_time(scenario_, number);
    calendar_.push({session.record.completion, session.pace.session, false});
  }

  void complete(Session& session) {
    recorders_[session.worker].record(session.record);
    find_work(session);
  }

  Fates result() {
    RunResult total;
    total.open_loop = true;
    total.kinds.resize(1);
    total.hosts.resize(1);
    total.kinds[0].response.emplace();
    total.queue.emplace();
    total.queued_response =
        Backlog(admission_).ages_at(kOrigin + scenario_.window, admission_.next_arrival());
    total.transactions.queued = total.queued_response->count();
    for (const Recorder& recorder : recorders_) recorder.add_to(total, {}, {});
    CHECK(total.self_check.dispatch_lag.max().value_or(0ns) == 0ns);  // a virtual client is never late
    fates_.skipped = total.transactions.skipped;
    fates_.queued = total.transactions.queued;
    fates_.response = *total.response();
    fates_.queue = *total.queue;
    return std::move(fates_);
  }

  Scenario scenario_;
  RunPlan plan_;
  Admission admission_;
  std::deque<Recorder> recorders_;
  std::deque<Pacer> pacers_;
  std::vector<Session> sessions_;
  std::priority_queue<Event> calendar_;
  std::vector<Clock::time_point> arrivals_;
  Fates fates_;
};

void compare(const Scenario& scenario) {
  const Fates expected = recursion(scenario);
  for (const std::size_t workers : {1U, 2U, 4U}) {
    CAPTURE(workers);
    const Fates fates = Engine(scenario, workers).run();
    CHECK(fates.dispatch == expected.dispatch);
    CHECK(fates.skipped == expected.skipped);
    CHECK(fates.queued == expected.queued);
    CHECK(fates == expected);
  }
}

}  // namespace

TEST_CASE("one session at 90 % load: every arrival waits as long as the recursion says") {
  compare({1, 0.9});
  CHECK(*recursion({1, 0.9}).response.mean_ns() > 3e6);  // there was something to wait for
}

TEST_CASE("16 sessions at 90 % load, whatever the workers") {
  compare({16, 0.9});
  const Fates fates = recursion({16, 0.9});
  CHECK(*fates.queue.percentile(99) > 10ms);
}

TEST_CASE("more than the sessions can do: what was not started is queued, as old as it is") {
  compare({16, 1.5, {}, 10s});
  const Fates fates = recursion({16, 1.5, {}, 10s});
  CHECK(fates.queued > 3000);
  CHECK(fates.response.at_least_count() == fates.queued);
}

TEST_CASE("more than the sessions can do, and the late ones are skipped") {
  compare({16, 1.5, 20ms, 10s});
  const Fates fates = recursion({16, 1.5, 20ms, 10s});
  CHECK(fates.skipped > 3000);
  CHECK(*fates.queue.max() <= 20ms);
}
