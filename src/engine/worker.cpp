#include "src/engine/worker.hpp"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "src/engine/session_loop.hpp"

namespace pgload::engine {

namespace {

/// How often a worker closes interval blocks although nothing completes, and looks after some of its
/// sessions.
constexpr std::chrono::milliseconds kTick{50};
/// Every session is looked at this often, so --statement-timeout is met to within it: 10,000 of them at each
/// tick would cost some 2 % of a core.
constexpr std::chrono::milliseconds kWatchRound{500};
constexpr int kOpenersPerWorker = 16;
constexpr int kCancellers = 16;
/// How long the server is asked to cancel what still runs; afterwards links are cut without asking.
constexpr std::chrono::seconds kCancelTime{2};

}  // namespace

SessionSlot::SessionSlot(RunContext& run, asio::io_context& context, client::Poller& poller,
                         std::uint32_t number, std::uint16_t assigned_host)
    : session(run.catalog, poller, run.plan.seed, run.plan.client.index * run.plan.sessions + number,
              run.plan.client.count * run.plan.sessions),
      host(assigned_host),
      pace{workloads::random::Generator(~run.plan.seed, number), number},
      nap(context) {
  session.keep(run.workload.new_state(session));
  session.set_pipeline(run.plan.pipeline);
}

Worker::Worker(RunContext& run, std::size_t index)
    : run_(run),
      index_(index),
      work_(context_.get_executor()),
      poller_(context_),
      ticker_(context_),
      sampler_(run.plan.log_share, run.plan.seed, index),
      wakes_(context_),
      gates_(run.hosts.size()),
      random_(~run.plan.seed, index) {
  const std::uint32_t one_in = run.plan.receive_stamps;
  if (one_in > 0) poller_.receive_sampler().start(one_in, &meter_, SelfMeter::reply_handled);
  thread_ = std::thread([this] { run_loop(); });
}

Worker::~Worker() { join(); }

// Goes on after an exception: what is suspended has to come home before the sessions can be destroyed.
void Worker::run_loop() {
  tid_ = ::gettid();
  bool ended = false;
  while (!ended) {
    try {
      context_.run();
      ended = true;
    } catch (...) {
      fail(std::current_exception());
    }
  }
}

void Worker::fail(std::exception_ptr exception) { run_.mailbox.post(WorkerFailed{std::move(exception)}); }

double Worker::cpu_s() {
  clockid_t clock{};
  timespec used{};
  if (::pthread_getcpuclockid(thread_.native_handle(), &clock) != 0) return 0;
  ::clock_gettime(clock, &used);
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

ThreadTimes Worker::times() {
  const auto times = thread_times(tid_);
  return times ? *times : ThreadTimes{cpu_s(), 0};
}

void Worker::probe(Clock::time_point due, Clock::time_point posted, Clock::duration interval) {
  asio::post(context_, [=, this] { meter_.task_ran(due, posted, interval, Clock::now()); });
}

void Worker::add_session(std::uint32_t number, std::uint16_t host) {
  slots_.emplace_back(run_, context_, poller_, number, host);
}

void Worker::reassign(std::uint32_t number, std::uint16_t host) {
  const auto slot = std::find_if(slots_.begin(), slots_.end(),
                                 [&](const SessionSlot& each) { return each.pace.session == number; });
  slot->host = host;
}

void Worker::connect() {
  asio::post(context_, [this] {
    next_to_open_ = 0;
    connect_report_ = {};
    unreachable_.assign(run_.hosts.size(), {});
    openers_ = kOpenersPerWorker;
    for (int i = 0; i < kOpenersPerWorker; ++i) {
      asio::co_spawn(context_, open_sessions(),
                     [this](std::exception_ptr exception) { opener_ended(std::move(exception)); });
    }
    tick();
  });
}

// A host that nobody reached is not tried for each of its sessions: it may cost the whole connect_timeout.
asio::awaitable<void> Worker::open_sessions() {
  while (next_to_open_ < slots_.size() && !run_.stop_opening.load(std::memory_order_relaxed)) {
    SessionSlot& slot = slots_[next_to_open_++];
    if (slot.state != SessionSlot::State::closed) continue;
    client::OpenFailure failure = unreachable_[slot.host];
    if (!failure.failed()) failure = co_await open_session(*this, slot);
    if (!failure.failed()) {
      run_.sessions_opened.fetch_add(1, std::memory_order_relaxed);
      continue;
    }
    if (failure.code == proto_pg::wire::Errc::cancelled) break;  // stop_opening
    if (failure.stage == client::OpenFailure::Stage::connect && !reached(slot.host)) {
      unreachable_[slot.host] = failure;
    }
    if (run_.plan.min_sessions == 0) run_.stop_opening.store(true, std::memory_order_relaxed);
    connect_report_.refusals.push_back({slot.pace.session, slot.host, std::move(failure)});
  }
}

bool Worker::reached(std::uint16_t host) const {
  return std::any_of(slots_.begin(), slots_.end(), [&](const SessionSlot& slot) {
    return slot.host == host && slot.state >= SessionSlot::State::preparing;
  });
}

void Worker::opener_ended(std::exception_ptr exception) {
  if (exception) fail(std::move(exception));
  if (--openers_ > 0) return;
  ticker_.cancel();
  run_.mailbox.post(std::move(connect_report_));
}

void Worker::start(Window window) {
  recorder_.emplace(run_.workload.kinds().size(), run_.catalog.specs.size(), run_.hosts.size(),
                    run_.admission);
  pacer_.emplace(run_.plan, run_.admission, *recorder_);
  cancelling_ = false;
  next_to_cancel_ = 0;
  asio::post(context_, [this, window] {
    const auto idle = [](const SessionSlot& slot) { return slot.state == SessionSlot::State::idle; };
    recorder_->set_window(window);
    pacer_->begin(window);
    wakes_.begin(window.start);
    meter_.begin(window, Clock::now());
    const auto loop = run_.plan.pipeline > 1 ? pipelined_session_loop : session_loop;
    running_ = static_cast<std::size_t>(std::count_if(slots_.begin(), slots_.end(), idle));
    if (running_ == 0) {
      meter_.close();
      run_.mailbox.post(WorkerEnded{index_});
    }
    for (SessionSlot& slot : slots_) {
      if (!idle(slot)) continue;
      asio::co_spawn(context_, loop(*this, slot), [this, &slot](std::exception_ptr exception) {
        session_ended(slot, std::move(exception));
      });
    }
    tick();
  });
}

void Worker::session_ended(SessionSlot& slot, std::exception_ptr exception) {
  const bool usable = !exception && slot.session.connection().is_open();
  if (exception) fail(std::move(exception));
  if (!usable) slot.session.connection().close();
  slot.state = usable ? SessionSlot::State::idle : SessionSlot::State::closed;
  --running_;
  end_if_all_are_home();
}

void Worker::canceller_ended(std::exception_ptr exception) {
  if (exception) fail(std::move(exception));
  --cancellers_;
  end_if_all_are_home();
}

void Worker::end_if_all_are_home() {
  if (running_ > 0 || cancellers_ > 0) return;
  ticker_.cancel();
  recorder_->finish(Clock::now());
  post_finished_blocks();
  meter_.close();
  run_.mailbox.post(WorkerEnded{index_});
}

void Worker::end_window(Clock::time_point end) {
  asio::post(context_, [this, end] {
    recorder_->end_window(end);
    meter_.end_window(end);
  });
}

void Worker::tick() {
  if (running_ == 0 && openers_ == 0) return;
  const Clock::time_point now = Clock::now();
  if (running_ > 0) {
    recorder_->roll(now);
    post_finished_blocks();
  }
  watch(now);
  meter_.watch_clock();
  const bool over = running_ > 0 ? run_.admission.over(now) : run_.stop_opening.load();
  if (over) end_openings();
  if (running_ > 0 && run_.admission.nothing_starts(now)) wakes_.end();
  ticker_.expires_after(kTick);
  ticker_.async_wait([this](boost::system::error_code error) {
    if (error) return;
    meter_.timer_fired(ticker_.expiry(), Clock::now());
    tick();
  });
}

void Worker::watch(Clock::time_point now) {
  const std::size_t share = (slots_.size() * kTick + kWatchRound - kTick) / kWatchRound;
  for (std::size_t i = 0; i < share; ++i) {
    SessionSlot& slot = slots_[next_to_watch_++ % slots_.size()];
    const bool waiting =
        slot.state == SessionSlot::State::preparing || slot.state == SessionSlot::State::busy;
    if (waiting && now - slot.session.last_reply() >= run_.plan.statement_timeout) {
      slot.session.connection().interrupt(proto_pg::wire::Errc::timed_out);
    }
  }
}

/// Nobody needs the connections any more that are being made.
void Worker::end_openings() {
  using State = SessionSlot::State;
  for (SessionSlot& slot : slots_) {
    if (slot.state == State::closed) slot.nap.cancel();
    if (slot.state == State::connecting || slot.state == State::preparing) {
      slot.session.connection().interrupt(proto_pg::wire::Errc::cancelled);
    }
  }
}

void Worker::post_finished_blocks() {
  auto blocks = recorder_->take_finished();
  if (blocks.empty() && sampler_.empty()) return;
  run_.mailbox.post(FinishedBlocks{index_, std::move(blocks),
                                   sampler_.empty() ? stats::TransactionSamples() : sampler_.take()});
}

void Worker::cancel_running() {
  asio::post(context_, [this] {
    cancelling_ = true;
    cancel_until_ = Clock::now() + kCancelTime;
    if (running_ == 0) return;
    cancellers_ = kCancellers;
    for (int i = 0; i < kCancellers; ++i) {
      asio::co_spawn(context_, cancel_sessions(),
                     [this](std::exception_ptr exception) { canceller_ended(std::move(exception)); });
    }
  });
}

asio::awaitable<void> Worker::cancel_sessions() {
  while (next_to_cancel_ < slots_.size()) {
    SessionSlot& slot = slots_[next_to_cancel_++];
    if (slot.state != SessionSlot::State::busy) continue;
    if (Clock::now() < cancel_until_) {
      const HostTarget& target = run_.hosts[slot.host];
      const client::Connection& connection = slot.session.connection();
      co_await client::cancel(poller_, run_.cancel, target.host, connection.endpoint(),
                              connection.process_id(), connection.cancel_key(), connection.tls());
    }
    if (slot.state != SessionSlot::State::busy) continue;  // it came home meanwhile
    slot.session.connection().interrupt(proto_pg::wire::Errc::cancelled);
  }
}

void Worker::join() {
  if (!thread_.joinable()) return;
  asio::post(context_, [this] { abandon(); });
  thread_.join();
}

// A connection that a coroutine waits for is only woken: its owner closes it, or would never resume.
void Worker::abandon() {
  run_.stop_opening.store(true);
  run_.admission.end_at(Clock::time_point::min());
  cancelling_ = true;
  next_to_cancel_ = slots_.size();
  wakes_.end();
  end_openings();
  for (SessionSlot& slot : slots_) {
    if (slot.state == SessionSlot::State::busy) {
      slot.session.connection().interrupt(proto_pg::wire::Errc::cancelled);
    }
    if (slot.state == SessionSlot::State::idle) slot.session.connection().close();
  }
  work_.reset();
}

}  // namespace pgload::engine
