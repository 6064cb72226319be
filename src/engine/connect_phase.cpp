#include "src/engine/connect_phase.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace pgload::engine {

namespace {

using client::OpenFailure;

constexpr std::chrono::milliseconds kPoll{20};

/// A host, not a login, is the trouble: another host may do better.
bool host_down(const OpenFailure& failure) { return failure.stage == OpenFailure::Stage::connect; }

std::vector<OpenRefusal> open_round(RunContext& run, std::vector<std::unique_ptr<Worker>>& workers,
                                    const RunObserver& observer) {
  run.stop_opening.store(false);
  for (auto& worker : workers) worker->connect();
  std::vector<OpenRefusal> refusals;
  std::size_t reports = 0;
  const Clock::time_point began = Clock::now();
  Clock::time_point next_progress = began + observer.report_interval;
  int signal = 0;
  while (reports < workers.size()) {
    auto event = run.mailbox.wait_until(Clock::now() + kPoll);
    if (event) {
      if (auto* report = std::get_if<ConnectReport>(&*event)) {
        ++reports;
        std::move(report->refusals.begin(), report->refusals.end(), std::back_inserter(refusals));
      } else if (const auto* failed = std::get_if<WorkerFailed>(&*event)) {
        std::rethrow_exception(failed->exception);
      }
    }
    if (signal == 0 && observer.stop_signal) signal = observer.stop_signal();
    if (signal != 0) run.stop_opening.store(true);
    if (Clock::now() >= next_progress && observer.progress) {
      next_progress += observer.report_interval;
      stats::Progress progress;
      progress.phase = stats::Progress::Phase::connect;
      progress.elapsed_s = std::chrono::duration<double>(Clock::now() - began).count();
      progress.open = run.sessions_opened.load();
      progress.requested = run.plan.sessions;
      observer.progress(progress);
    }
  }
  if (signal != 0) throw Interrupted(signal);
  return refusals;
}

std::string refusal_text(const RunContext& run, const OpenRefusal& refusal, std::uint32_t open) {
  const OpenFailure& failure = refusal.failure;
  if (failure.code == proto_pg::wire::Errc::refused_by_server &&
      failure.server.sqlstate == proto_pg::wire::sqlstate::kTooManyConnections) {
    return fmt::format(
        "{} of {} sessions could be opened, then {}\n"
        "Ask for fewer --sessions, raise the server's max_connections, or go on with what there is: "
        "--min-sessions.",
        open, run.plan.sessions, failure.text);
  }
  return failure.text;
}

/// Spreads the refused sessions over the hosts that answered. False if there is no such host.
bool move_to_other_hosts(RunContext& run, std::vector<std::unique_ptr<Worker>>& workers,
                         const std::vector<OpenRefusal>& refusals, std::vector<std::string>& notes) {
  std::set<std::uint16_t> down;
  for (const OpenRefusal& refusal : refusals) {
    if (host_down(refusal.failure)) down.insert(refusal.host);
  }
  if (down.empty() || down.size() == run.hosts.size()) return false;
  std::uint16_t next = 0;
  for (const std::uint16_t host : down) {
    std::size_t moved = 0;
    std::string reason;
    for (const OpenRefusal& refusal : refusals) {
      if (refusal.host != host) continue;
      while (down.contains(next)) next = static_cast<std::uint16_t>((next + 1) % run.hosts.size());
      workers[refusal.session % workers.size()]->reassign(refusal.session, next);
      next = static_cast<std::uint16_t>((next + 1) % run.hosts.size());
      ++moved;
      reason = refusal.failure.text;
    }
    notes.push_back(fmt::format("{} was down at the start, its {} sessions went to the other hosts: {}",
                                run.hosts[host].name, moved, reason));
  }
  return true;
}

}  // namespace

std::vector<std::string> open_all_sessions(RunContext& run, std::vector<std::unique_ptr<Worker>>& workers,
                                           const RunObserver& observer) {
  std::uint32_t have = 0, open_before = 0;
  for (const auto& worker : workers) {
    have += static_cast<std::uint32_t>(worker->sessions().size());
    open_before += static_cast<std::uint32_t>(std::ranges::count(
        worker->sessions(), SessionSlot::State::idle, [](const SessionSlot& slot) { return slot.state; }));
  }
  run.sessions_opened.store(open_before);
  for (std::uint32_t number = have; number < run.plan.sessions; ++number) {
    const auto host = static_cast<std::uint16_t>(number % run.hosts.size());
    workers[number % workers.size()]->add_session(number, host);
  }
  std::vector<std::string> notes;
  std::vector<OpenRefusal> refusals = open_round(run, workers, observer);
  if (run.plan.min_sessions > 0 && move_to_other_hosts(run, workers, refusals, notes)) {
    refusals = open_round(run, workers, observer);
  }
  const std::uint32_t open = run.sessions_opened.load();
  const std::uint32_t needed = run.plan.min_sessions > 0 ? run.plan.min_sessions : run.plan.sessions;
  if (open < needed) throw SetupError(refusal_text(run, refusals.front(), open));
  if (!refusals.empty()) {
    notes.push_back(fmt::format("{} of {} sessions are open: {}", open, run.plan.sessions,
                                refusals.front().failure.text));
  }
  return notes;
}

}  // namespace pgload::engine
