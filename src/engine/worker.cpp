#include "src/engine/worker.hpp"

#include <time.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "src/engine/session_loop.hpp"

namespace pgload::engine {

namespace {

/// How often a worker looks after its sessions: closes interval blocks when nothing completes, and finds
/// statements that take too long (so --statement-timeout is met to within this).
constexpr std::chrono::milliseconds kTick{50};
constexpr int kOpenersPerWorker = 16;
constexpr int kCancellers = 16;
/// How long the server is asked to cancel what still runs; afterwards links are cut without asking.
constexpr std::chrono::seconds kCancelTime{2};

double thread_cpu_s() {
  timespec used{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

}  // namespace

SessionSlot::SessionSlot(RunContext& run, asio::io_context& context, client::Poller& poller,
                         std::uint32_t number, std::uint16_t assigned_host)
    : session(run.catalog, poller, run.plan.seed, number, run.plan.sessions),
      host(assigned_host),
      nap(context) {}

Worker::Worker(RunContext& run, std::size_t index)
    : run_(run),
      index_(index),
      work_(context_.get_executor()),
      poller_(context_),
      ticker_(context_),
      recorder_(run.workload.kinds().size(), run.catalog.specs.size(), run.hosts.size()),
      thread_([this] { run_loop(); }) {}

Worker::~Worker() { join(); }

void Worker::run_loop() {
  try {
    context_.run();
  } catch (...) {
    exception_ = std::current_exception();
    run_.mailbox.post(WorkerEnded{index_, exception_});
  }
}

void Worker::add_session(std::uint32_t number, std::uint16_t host) {
  slots_.emplace_back(run_, context_, poller_, number, host);
}

void Worker::reassign(std::uint32_t number, std::uint16_t host) {
  const auto slot = std::find_if(slots_.begin(), slots_.end(),
                                 [&](const SessionSlot& each) { return each.session.number() == number; });
  slot->host = host;
}

void Worker::connect() {
  asio::post(context_, [this] {
    next_to_open_ = 0;
    connect_report_ = {};
    openers_ = kOpenersPerWorker;
    for (int i = 0; i < kOpenersPerWorker; ++i) {
      asio::co_spawn(context_, open_sessions(), [this](std::exception_ptr exception) {
        if (exception) std::rethrow_exception(exception);
        opener_ended();
      });
    }
  });
}

asio::awaitable<void> Worker::open_sessions() {
  while (next_to_open_ < slots_.size() && !run_.stop_opening.load(std::memory_order_relaxed)) {
    SessionSlot& slot = slots_[next_to_open_++];
    if (slot.open) continue;
    client::OpenFailure failure = co_await open_session(*this, slot);
    if (!failure.failed()) {
      run_.sessions_opened.fetch_add(1, std::memory_order_relaxed);
      continue;
    }
    if (run_.plan.min_sessions == 0) run_.stop_opening.store(true, std::memory_order_relaxed);
    connect_report_.refusals.push_back({slot.session.number(), slot.host, std::move(failure)});
  }
}

void Worker::opener_ended() {
  if (--openers_ == 0) run_.mailbox.post(std::move(connect_report_));
}

bool Worker::enter_handshake() {
  if (handshakes_ >= kMaxHandshakes) return false;
  ++handshakes_;
  return true;
}

void Worker::start(Window window) {
  asio::post(context_, [this, window] {
    recorder_.set_window(window);
    cpu_at_start_s_ = thread_cpu_s();
    const auto loop = run_.plan.pipeline > 1 ? pipelined_session_loop : session_loop;
    running_ = static_cast<std::size_t>(
        std::count_if(slots_.begin(), slots_.end(), [](const SessionSlot& slot) { return slot.open; }));
    if (running_ == 0) run_.mailbox.post(WorkerEnded{index_, nullptr});
    for (SessionSlot& slot : slots_) {
      if (!slot.open) continue;
      asio::co_spawn(context_, loop(*this, slot),
                     [this, &slot](std::exception_ptr exception) { session_ended(slot, exception); });
    }
    tick();
  });
}

void Worker::session_ended(SessionSlot& slot, std::exception_ptr exception) {
  if (exception) std::rethrow_exception(exception);
  slot.session.connection().close();
  if (--running_ > 0) return;
  ticker_.cancel();
  cpu_s_ = thread_cpu_s() - cpu_at_start_s_;
  recorder_.roll(Clock::now());
  recorder_.close_block();
  post_finished_blocks();
  run_.mailbox.post(WorkerEnded{index_, nullptr});
}

void Worker::end_window(Clock::time_point end) {
  asio::post(context_, [this, end] {
    recorder_.end_window(end);
    for (SessionSlot& slot : slots_) slot.nap.cancel();
  });
}

void Worker::tick() {
  if (running_ == 0) return;
  const Clock::time_point now = Clock::now();
  recorder_.roll(now);
  post_finished_blocks();
  for (SessionSlot& slot : slots_) watch(slot, now);
  ticker_.expires_after(kTick);
  ticker_.async_wait([this](boost::system::error_code error) {
    if (!error) tick();
  });
}

void Worker::watch(SessionSlot& slot, Clock::time_point now) {
  if (!slot.busy || now - slot.session.last_reply() < run_.plan.statement_timeout) return;
  slot.session.connection().interrupt(proto_pg::wire::Errc::timed_out);
}

void Worker::post_finished_blocks() {
  auto blocks = recorder_.take_finished();
  if (!blocks.empty()) run_.mailbox.post(FinishedBlocks{index_, std::move(blocks)});
}

void Worker::cancel_running() {
  asio::post(context_, [this] {
    cancelling_ = true;
    cancel_until_ = Clock::now() + kCancelTime;
    for (int i = 0; i < kCancellers; ++i) {
      asio::co_spawn(context_, cancel_sessions(), [](std::exception_ptr exception) {
        if (exception) std::rethrow_exception(exception);
      });
    }
  });
}

asio::awaitable<void> Worker::cancel_sessions() {
  while (next_to_cancel_ < slots_.size()) {
    SessionSlot& slot = slots_[next_to_cancel_++];
    if (!slot.busy) continue;
    if (Clock::now() < cancel_until_) {
      const HostTarget& target = run_.hosts[slot.host];
      const client::Connection& connection = slot.session.connection();
      co_await client::cancel(poller_, run_.cancel, target.host, connection.endpoint(),
                              connection.process_id(), connection.cancel_key(), connection.tls());
    }
    slot.session.connection().interrupt(proto_pg::wire::Errc::cancelled);
  }
}

void Worker::join() {
  if (!thread_.joinable()) return;
  asio::post(context_, [this] {
    for (SessionSlot& slot : slots_) slot.session.connection().close();
    work_.reset();
  });
  thread_.join();
}

}  // namespace pgload::engine
