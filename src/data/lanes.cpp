#include "src/data/lanes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cctype>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "proto_pg/wire/errc.hpp"
#include "src/data/sql_text.hpp"

namespace pgload::data {
namespace {

namespace client = proto_pg::client;

constexpr unsigned kMaxThreads = 4;
constexpr std::chrono::milliseconds kTick{200};

struct ResolvedHost {
  const client::Host& host;
  std::vector<client::Endpoint> endpoints;
  std::string reason;  ///< if there are none
};

std::vector<ResolvedHost> resolve_all(const client::ConnectInfo& info) {
  std::vector<ResolvedHost> hosts;
  for (const auto& host : info.hosts) {
    std::string reason;
    auto endpoints = client::resolve(host, reason);
    hosts.push_back({host, std::move(endpoints), std::move(reason)});
  }
  return hosts;
}

/// What all lanes share: who still runs, and why they should not.
class Group {
 public:
  explicit Group(std::uint32_t lanes) : running_(lanes) {}

  const std::atomic<bool>& stopping() const { return stopping_; }
  void stop() {
    stopping_ = true;
    changed_.notify_all();
  }
  void lane_ended(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (error && !error_) error_ = error;
    if (error) stopping_ = true;
    --running_;
    changed_.notify_all();
  }
  /// True once all lanes have ended; waits one tick for it.
  bool wait_tick() {
    std::unique_lock lock(mutex_);
    const bool was_stopping = stopping_;
    changed_.wait_for(lock, kTick, [&] { return running_ == 0 || stopping_ != was_stopping; });
    return running_ == 0;
  }
  std::exception_ptr error() {
    const std::lock_guard lock(mutex_);
    return error_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint32_t running_;
  std::atomic<bool> stopping_{false};
  std::exception_ptr error_;
};

/// One thread with its loop and the connections it serves.
class Crew {
 public:
  Crew(const Target& target, const std::vector<ResolvedHost>& hosts, Group& group)
      : context_(target.context),
        dialect_(target.dialect),
        hosts_(hosts),
        group_(group),
        loop_(1),
        poller_(loop_) {}

  void add_lane(std::uint32_t number, const LaneBody& body) {
    auto& seat = seats_.emplace_back(poller_);
    ++running_;
    asio::co_spawn(loop_, work(seat, number, body), [this](std::exception_ptr error) {
      group_.lane_ended(error);
      one_ended();
    });
  }
  void start() {
    thread_ = std::thread([this] { loop_.run(); });
  }
  void join() { thread_.join(); }
  /// Any thread: asks the server to cancel what the lanes run there.
  void cancel_all() {
    asio::post(loop_, [this] {
      for (auto& seat : seats_) {
        if (!seat.endpoint) continue;
        ++running_;
        asio::co_spawn(loop_, cancel(seat), [this](std::exception_ptr) { one_ended(); });
      }
    });
  }

 private:
  struct Seat {
    explicit Seat(client::Poller& poller) : connection(poller) {}
    client::Connection connection;
    const client::Host* host = nullptr;
    const client::Endpoint* endpoint = nullptr;  ///< while connected
  };

  void one_ended() {
    if (--running_ == 0) loop_.stop();
  }

  asio::awaitable<void> work(Seat& seat, std::uint32_t number, const LaneBody& body) {
    co_await open(seat, number);
    Lane lane(seat.connection, dialect_, group_.stopping());
    co_await body(lane);
    seat.endpoint = nullptr;
    seat.connection.close();
  }

  asio::awaitable<void> open(Seat& seat, std::uint32_t number) {
    std::string problems;
    for (std::size_t i = 0; i < hosts_.size(); ++i) {
      const auto& candidate = hosts_[(number + i) % hosts_.size()];
      const client::OpenFailure failure = co_await open_host(seat, candidate);
      if (!failure.failed()) co_return;
      if (failure.code == proto_pg::wire::Errc::password_missing) throw PasswordMissing(failure.text);
      // Another host would refuse the same password, name or certificate.
      if (failure.stage != client::OpenFailure::Stage::connect) throw DataError(failure.text);
      problems += (problems.empty() ? "" : "\n") + failure.text;
    }
    throw DataError(problems);
  }

  asio::awaitable<client::OpenFailure> open_host(Seat& seat, const ResolvedHost& candidate) {
    client::OpenFailure failure;
    if (candidate.endpoints.empty()) {
      failure.stage = client::OpenFailure::Stage::connect;
      failure.text = candidate.reason;
      co_return failure;
    }
    failure = co_await seat.connection.open(context_, candidate.host, candidate.endpoints);
    if (failure.failed()) co_return failure;
    const auto& text = seat.connection.endpoint().text;
    const auto used = std::ranges::find(candidate.endpoints, text, &client::Endpoint::text);
    seat.host = &candidate.host;
    seat.endpoint = used == candidate.endpoints.end() ? nullptr : &*used;
    co_return failure;
  }

  asio::awaitable<void> cancel(Seat& seat) {
    auto& connection = seat.connection;
    const std::string key = connection.cancel_key();
    // Best effort: whatever becomes of it, the lane's own connection tells how its statement ended.
    co_await client::cancel(poller_, context_, *seat.host, *seat.endpoint, connection.process_id(), key,
                            connection.tls());
  }

  const client::ConnectContext& context_;
  workloads::api::Dialect dialect_;
  const std::vector<ResolvedHost>& hosts_;
  Group& group_;
  asio::io_context loop_;
  client::Poller poller_;
  std::deque<Seat> seats_;
  std::uint32_t running_ = 0;  ///< coroutines
  std::thread thread_;
};

}  // namespace

asio::awaitable<Lane::Rows> Lane::query(std::string sql, std::string doing) {
  auto result = co_await connection_.query(std::move(sql));
  require(result, doing);
  co_return std::move(result.rows);
}

bool worth_retrying(const proto_pg::wire::ServerError& error) {
  namespace sqlstate = proto_pg::wire::sqlstate;
  if (error.sqlstate == sqlstate::kSerializationFailure || error.sqlstate == sqlstate::kDeadlockDetected)
    return true;
  // YugabyteDB: "Catalog Version Mismatch: …", "The catalog snapshot used … has been invalidated", "schema
  // version mismatch for table …", under several codes.
  std::string text = error.message;
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text.find("version mismatch") != std::string::npos ||
         text.find("catalog snapshot") != std::string::npos;
}

asio::awaitable<client::Connection::Result> Lane::define(std::string sql) {
  constexpr int kTries = 20;
  const auto executor = co_await asio::this_coro::executor;
  for (int tries = 1;; ++tries) {
    auto result = co_await connection_.query(sql);
    const bool again = result.server_error && worth_retrying(*result.server_error);
    if (!again || tries == kTries || stopping_) co_return result;
    asio::steady_timer pause(executor, std::chrono::milliseconds(50) * tries);
    boost::system::error_code woken;
    co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, woken));
  }
}

void Lane::require(const client::Connection::Result& result, std::string_view doing) const {
  if (result.server_error) throw DataError(refusal(doing, *result.server_error));
  if (result.error)
    throw DataError(fmt::format("cannot {}: connection to {} lost: {}", doing, connection_.endpoint().text,
                                result.error.message()));
}

void run_lanes(const Target& target, std::uint32_t count, const LaneBody& body,
               const std::function<bool()>& tick) {
  const auto hosts = resolve_all(target.context.info);
  Group group(count);
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  std::deque<Crew> crews;
  for (unsigned i = 0; i < std::min({count, cores, kMaxThreads}); ++i)
    crews.emplace_back(target, hosts, group);
  for (std::uint32_t i = 0; i < count; ++i) crews[i % crews.size()].add_lane(i, body);
  for (auto& crew : crews) crew.start();

  bool interrupted = false;
  bool cancelled = false;
  while (!group.wait_tick()) {
    if (!interrupted && tick()) {
      interrupted = true;
      group.stop();
    }
    if (group.stopping() && !cancelled) {
      cancelled = true;
      for (auto& crew : crews) crew.cancel_all();
    }
  }
  for (auto& crew : crews) crew.join();
  if (interrupted) throw Interrupted();
  if (const auto error = group.error()) std::rethrow_exception(error);
}

void run_lane(const Target& target, const LaneBody& body) {
  run_lanes(target, 1, body, [] { return false; });
}

void knock(const Target& target) {
  run_lane(target, [](Lane&) -> asio::awaitable<void> { co_return; });
}

}  // namespace pgload::data
