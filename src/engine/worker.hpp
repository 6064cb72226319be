#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "proto_pg/client/connection.hpp"
#include "proto_pg/client/host_addresses.hpp"
#include "src/engine/admission.hpp"
#include "src/engine/cpu_facts.hpp"
#include "src/engine/handshake_gate.hpp"
#include "src/engine/mailbox.hpp"
#include "src/engine/pacer.hpp"
#include "src/engine/recorder.hpp"
#include "src/engine/run_plan.hpp"
#include "src/engine/self_meter.hpp"
#include "src/engine/transaction_sampler.hpp"
#include "src/engine/wake_queue.hpp"
#include "workloads/api/session.hpp"
#include "workloads/api/workload.hpp"
#include "workloads/random/generator.hpp"

namespace pgload::engine {

namespace asio = boost::asio;
namespace client = proto_pg::client;

/// A host of the list, resolved.
struct HostTarget {
  client::Host host;
  client::HostAddresses addresses;
  std::string name;
};

/// A session that could not be opened.
struct OpenRefusal {
  std::uint32_t session = 0;
  std::uint16_t host = 0;
  client::OpenFailure failure;
};

/// --- what workers tell the controller ---
struct ConnectReport {
  std::vector<OpenRefusal> refusals;
};
struct FinishedBlocks {
  std::size_t worker = 0;
  std::vector<std::unique_ptr<IntervalBlock>> blocks;
  stats::TransactionSamples samples;
};
struct WorkerEnded {
  std::size_t worker = 0;
};
/// A fault of this program. The run is over; the worker's thread lives on until `join`.
struct WorkerFailed {
  std::exception_ptr exception;
};
using WorkerEvent = std::variant<ConnectReport, FinishedBlocks, WorkerEnded, WorkerFailed>;

/// What all workers of a run share. Nothing in it changes during the run but the atomics.
struct RunContext {
  RunPlan plan;
  const workloads::api::Workload& workload;
  const workloads::api::StatementCatalog& catalog;
  const client::ConnectContext& connect;
  const client::ConnectContext& cancel;  ///< the same with a short time limit
  std::vector<HostTarget> hosts;
  Admission admission;
  Mailbox<WorkerEvent> mailbox;
  std::atomic<std::uint32_t> sessions_opened{0};
  std::atomic<bool> stop_opening{false};  ///< one refusal is enough to give up
};

/// One client as its worker keeps it.
struct SessionSlot {
  enum class State : std::uint8_t {
    closed,      ///< or sleeping before the next try to connect
    connecting,  ///< by Connection::open, which has a time limit of its own
    preparing,   ///< its statements
    idle,        ///< connected, no coroutine waits for it
    waiting,     ///< connected, asleep until its next start
    busy,        ///< a transaction is in flight, or the ROLLBACK behind it
  };

  SessionSlot(RunContext& run, asio::io_context& context, client::Poller& poller, std::uint32_t number,
              std::uint16_t assigned_host);

  workloads::api::Session session;
  std::uint16_t host;
  Pace pace;
  State state = State::closed;
  TransactionRecord transaction;   ///< of the transaction in flight
  std::uint64_t transactions = 0;  ///< of this session, where the workload counts them to connect anew
  asio::steady_timer nap;          ///< before a reconnect
  WakeQueue::Sleeper sleeper;      ///< before its next start
};

/// A thread with its io_context, its poller, its share of the sessions and its own recorder.
class Worker {
 public:
  Worker(RunContext& run, std::size_t index);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// --- for the controller, from its thread ---
  void add_session(std::uint32_t number, std::uint16_t host);  ///< before `connect`
  /// Opens all sessions that are not open; answers with a ConnectReport.
  void connect();
  /// Gives a session that is not open another host; only between ConnectReport and `connect`.
  void reassign(std::uint32_t number, std::uint16_t host);
  /// Starts every open session's loop, with counts of its own. Answers with FinishedBlocks while it runs,
  /// then WorkerEnded; after it, sessions that are still open wait for another `start`.
  void start(Window window);
  void end_window(Clock::time_point end);
  /// The drain is over: what still runs is cancelled at the server, then its link is cut.
  void cancel_running();
  /// Ends what still runs, closes what is open, and waits for the thread.
  void join();
  const Recorder& recorder() const { return *recorder_; }             ///< from `start` on
  const std::deque<SessionSlot>& sessions() const { return slots_; }  ///< between reports, and after join
  /// CPU seconds of the thread so far; before `join`.
  double cpu_s();
  /// The same with its wait for a CPU, where the kernel tells.
  ThreadTimes times();
  /// Notes how late the loop gets to this (SelfMeter::task_ran).
  void probe(Clock::time_point due, Clock::time_point posted, Clock::duration interval);
  const SelfMeter& meter() const { return meter_; }  ///< after WorkerEnded

  /// --- for the session loops, on the worker's thread ---
  RunContext& run() { return run_; }
  Recorder& recording() { return *recorder_; }
  Pacer& pacer() { return *pacer_; }
  TransactionSampler& sampler() { return sampler_; }
  WakeQueue& wakes() { return wakes_; }
  SelfMeter& meter() { return meter_; }
  bool cancelling() const { return cancelling_; }
  HandshakeGate& gate(std::uint16_t host) { return gates_[host]; }
  /// Of the worker's own: a session's generator is its workload's, and must not depend on faults.
  workloads::random::Generator& random() { return random_; }

 private:
  void run_loop();
  void fail(std::exception_ptr exception);
  asio::awaitable<void> open_sessions();
  bool reached(std::uint16_t host) const;
  void opener_ended(std::exception_ptr exception);
  asio::awaitable<void> cancel_sessions();
  void session_ended(SessionSlot& slot, std::exception_ptr exception);
  void canceller_ended(std::exception_ptr exception);
  void end_if_all_are_home();
  void tick();
  void watch(Clock::time_point now);
  void end_openings();
  void abandon();
  void post_finished_blocks();

  RunContext& run_;
  std::size_t index_;
  asio::io_context context_{1};
  std::optional<asio::executor_work_guard<asio::io_context::executor_type>> work_;
  client::Poller poller_;
  asio::steady_timer ticker_;
  std::deque<SessionSlot> slots_;
  std::optional<Recorder> recorder_;  ///< of the run that `start` began
  std::optional<Pacer> pacer_;
  TransactionSampler sampler_;
  WakeQueue wakes_;
  SelfMeter meter_;
  std::deque<HandshakeGate> gates_;  ///< by host: one that hangs must not keep sessions of another waiting
  workloads::random::Generator random_;
  std::size_t next_to_open_ = 0;
  int openers_ = 0;
  std::vector<client::OpenFailure> unreachable_;  ///< by host, while connecting
  std::size_t running_ = 0;
  int cancellers_ = 0;
  std::size_t next_to_watch_ = 0;
  std::size_t next_to_cancel_ = 0;
  bool cancelling_ = false;
  Clock::time_point cancel_until_;
  ConnectReport connect_report_;
  std::atomic<pid_t> tid_{0};
  std::thread thread_;
};

}  // namespace pgload::engine
