#include "src/monitor/server_monitor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <tuple>
#include <utility>

#include "proto_pg/wire/errc.hpp"

namespace pgload::monitor {

namespace {

constexpr std::chrono::seconds kPeriod{1};
/// Soon after the window's begin, so that short runs have a look too.
constexpr std::chrono::milliseconds kFirstLook{100};
constexpr std::chrono::seconds kConnectLimit{2};
constexpr std::chrono::seconds kBeginLimit{3};
constexpr std::chrono::milliseconds kSettleLimit{1500};
constexpr std::chrono::milliseconds kSettlePause{20};
/// The settling and the last reading together.
constexpr std::chrono::seconds kFinishLimit{4};
/// From here on a backend can be made to tell its counts at once (pg_stat_force_next_flush).
constexpr int kVersionOfForcedFlush = 150000;

client::ConnectInfo hurried(client::ConnectInfo info) {
  info.connect_timeout = kConnectLimit;
  return info;
}

std::string quoted(std::string_view text) {
  std::string literal = "'";
  for (const char c : text) literal.append(c == '\'' ? 2 : 1, c);
  return literal + "'";
}

}  // namespace

ServerMonitor::ServerMonitor(const client::ConnectContext& connect, client::Host host,
                             std::vector<client::Endpoint> endpoints)
    : info_(hurried(connect.info)),
      connect_{info_, connect.tls, connect.scram_keys},
      host_(std::move(host)),
      endpoints_(std::move(endpoints)),
      poller_(context_),
      connection_(poller_),
      timer_(context_),
      limit_(context_) {}

ServerMonitor::~ServerMonitor() {
  if (!thread_.joinable()) return;
  do_soon(&ServerMonitor::give_up);
  thread_.join();
}

void ServerMonitor::begin() {
  asio::co_spawn(context_, watch(), [this](std::exception_ptr exception) { ended(std::move(exception)); });
  thread_ = std::thread([this] { context_.run(); });
  if (begun_.get_future().wait_for(kBeginLimit) == std::future_status::ready) return;
  do_soon(&ServerMonitor::give_up);
}

void ServerMonitor::window_began() { do_soon(&ServerMonitor::begin_window); }
void ServerMonitor::window_ended() { do_soon(&ServerMonitor::end_window); }

ServerMonitor::Findings ServerMonitor::finish() {
  if (!thread_.joinable()) return {};
  do_soon(&ServerMonitor::end_watch);
  thread_.join();
  Findings findings;
  if (at_begin_) findings.activity = activity();
  findings.notes = notes();
  return findings;
}

/// On the monitor's own thread; harmless when that has ended.
void ServerMonitor::do_soon(void (ServerMonitor::*act)()) {
  asio::post(context_, [this, act] {
    (this->*act)();
    timer_.cancel();
  });
}

void ServerMonitor::begin_window() { read_window_ = sampling_ = true; }

void ServerMonitor::end_window() { sampling_ = false; }

void ServerMonitor::end_watch() {
  sampling_ = false;
  ending_ = true;
  limit_.expires_after(kFinishLimit);
  limit_.async_wait([this](boost::system::error_code error) {
    if (!error) give_up();
  });
}

void ServerMonitor::give_up() {
  given_up_ = ending_ = true;
  if (trouble_.empty()) trouble_ = host_.name() + ": the server did not answer in time";
  connection_.interrupt(proto_pg::wire::Errc::timed_out);
}

void ServerMonitor::ended(std::exception_ptr exception) {
  limit_.cancel();
  try {
    if (exception) std::rethrow_exception(exception);
  } catch (const std::exception& error) {
    trouble_ = error.what();
    ending_ = true;
    tell_begun();
  }
}

void ServerMonitor::tell_begun() {
  if (!std::exchange(told_begun_, true)) begun_.set_value();
}

asio::awaitable<void> ServerMonitor::watch() {
  const bool connected = co_await open();
  if (connected) {
    co_await learn();
    co_await read(at_begin_);
  }
  tell_begun();
  if (!at_begin_) {
    connection_.close();
    co_return;
  }
  co_await attend();
  // Twice, if the server was restarted or cut us off: perhaps we notice only now.
  for (int tries = 0; tries < 2 && !at_end_ && !given_up_; ++tries) {
    if (!connection_.is_open()) co_await open();
    co_await settle();
    co_await read(at_end_);
  }
  connection_.close();
}

asio::awaitable<bool> ServerMonitor::open() {
  const client::OpenFailure failure = co_await connection_.open(connect_, host_, endpoints_);
  if (failure.failed() && trouble_.empty()) trouble_ = failure.text;
  co_return !failure.failed();
}

asio::awaitable<void> ServerMonitor::learn() {
  std::string sql = settings_query();
  const auto settings = co_await ask(std::move(sql), "pg_settings");
  settings_ = settings_of(settings.rows);
  sql = "SELECT pg_catalog.current_setting('application_name')";
  const auto name = co_await ask(std::move(sql), "application_name");
  application_name_ = info_.application_name;
  if (!name.rows.empty() && !name.rows[0].empty()) application_name_ = name.rows[0][0].value_or("");
  // So that an administrator knows us from the sessions, and so do we.
  sql = "SET application_name = " + quoted(application_name_ + " monitor");
  const auto set = co_await ask(std::move(sql), "application_name");
}

/// While the run lasts.
asio::awaitable<void> ServerMonitor::attend() {
  while (!ending_) {
    if (std::exchange(read_window_, false)) {
      co_await read(at_window_);
      next_sample_ = Clock::now() + kFirstLook;
    }
    const bool look = sampling_ && connection_.is_open();
    if (!look) {
      co_await rest(Clock::time_point::max());
    } else if (Clock::now() < next_sample_) {
      co_await rest(next_sample_);
    } else {
      co_await sample();
      next_sample_ = std::max(next_sample_ + kPeriod, Clock::now());
    }
  }
}

/// Until then, or until something is asked for.
asio::awaitable<void> ServerMonitor::rest(Clock::time_point until) {
  if (read_window_ || ending_) co_return;
  timer_.expires_at(until);
  boost::system::error_code woken;
  co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, woken));
}

std::string ServerMonitor::our_backends() const {
  return "pg_catalog.pg_stat_activity WHERE datname = pg_catalog.current_database() AND usename = "
         "current_user "
         "AND pid <> pg_catalog.pg_backend_pid() AND application_name = " +
         quoted(application_name_);
}

// A backend that waits for nothing runs, or would if a CPU were free.
asio::awaitable<void> ServerMonitor::sample() {
  std::string sql =
      "SELECT CASE WHEN wait_event_type IS NOT NULL THEN wait_event_type "
      "WHEN state LIKE 'idle%' THEN 'idle' ELSE 'CPU' END, count(*) FROM " +
      our_backends() + " GROUP BY 1";
  const auto result = co_await ask(std::move(sql), "pg_stat_activity");
  if (!result.ok()) co_return;
  ++samples_;
  for (const Row& row : result.rows) {
    if (row.size() == 2 && row[0] && row[1]) waits_[*row[0]] += std::stoull(*row[1]);
  }
}

asio::awaitable<void> ServerMonitor::settle() {
  const Clock::time_point end = Clock::now() + kSettleLimit;
  bool there = true;
  while (there && connection_.is_open()) {
    std::string sql = "SELECT 1 FROM " + our_backends() + " LIMIT 1";
    const auto result = co_await ask(std::move(sql), "pg_stat_activity");
    there = result.ok() && !result.rows.empty() && Clock::now() < end;
    if (!there) break;
    timer_.expires_after(kSettlePause);
    boost::system::error_code woken;
    co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, woken));
  }
}

asio::awaitable<void> ServerMonitor::read(std::optional<Reading>& reading) {
  const int version = version_number(connection_.parameter("server_version").value_or(""));
  if (version >= kVersionOfForcedFlush) {
    std::string flush = "SELECT pg_catalog.pg_stat_force_next_flush()";
    const auto flushed = co_await ask(std::move(flush), "pg_stat_force_next_flush");
  }
  Reading now;
  now.own_failed = failed_queries_;
  now.own_good = connection_.traffic().transactions_ended - failed_queries_;
  for (const View& view : views()) {
    if (!connection_.is_open()) co_return;
    if (version < view.from_version || version > view.to_version) continue;
    std::string sql = view.sql;
    const auto result = co_await ask(std::move(sql), view.name);
    if (!result.rows.empty()) take_row(view, result.rows[0], now.counters);
  }
  if (connection_.is_open()) reading = std::move(now);
}

asio::awaitable<client::Connection::Result> ServerMonitor::ask(std::string sql, std::string source) {
  client::Connection::Result result;
  if (given_up_ || !connection_.is_open()) {
    result.error = proto_pg::wire::Errc::connection_closed;
    co_return result;
  }
  result = co_await connection_.query(std::move(sql));
  if (result.server_error) {
    ++failed_queries_;
    miss(source, result.server_error->message);
  }
  if (result.error && trouble_.empty()) trouble_ = host_.name() + ": " + result.error.message();
  co_return result;
}

void ServerMonitor::miss(const std::string& source, const std::string& reason) {
  missing_.try_emplace(source, reason);
}

stats::ServerActivity ServerMonitor::activity() {
  stats::ServerActivity all;
  if (at_end_) {
    const Reading& from = at_window_ ? *at_window_ : *at_begin_;
    all = difference(from.counters, at_end_->counters, reset_);
    leave_out(all.commits, at_end_->own_good - from.own_good);
    leave_out(all.rollbacks, at_end_->own_failed - from.own_failed);
    if (all.commits) all.transactions = *all.commits + all.rollbacks.value_or(0);
    const stats::ServerActivity whole = difference(at_begin_->counters, at_end_->counters, reset_);
    all.commits = whole.commits;
    all.rollbacks = whole.rollbacks;
    leave_out(all.commits, at_end_->own_good - at_begin_->own_good);
    leave_out(all.rollbacks, at_end_->own_failed - at_begin_->own_failed);
  }
  if (value_of(settings_, "track_counts") == "off") {
    all.commits = all.rollbacks = all.transactions = all.blocks_hit = all.blocks_read = std::nullopt;
    all.autovacuum_runs = std::nullopt;
  }
  all.waits.assign(waits_.begin(), waits_.end());
  std::sort(all.waits.begin(), all.waits.end(), [](const auto& one, const auto& other) {
    return std::tie(other.second, one.first) < std::tie(one.second, other.first);
  });
  all.samples = samples_;
  all.settings = settings_;
  return all;
}

std::vector<std::string> ServerMonitor::notes() const {
  std::vector<std::string> list;
  if (!trouble_.empty()) {
    list.push_back(fmt::format("{} server statistics: {}", at_begin_ ? "gaps in the" : "no", trouble_));
  }
  for (const auto& [source, reason] : missing_) {
    list.push_back(fmt::format("server statistics without {}: {}", source, reason));
  }
  if (reset_) list.push_back("the server's statistics were reset during the run: some are left out");
  if (value_of(settings_, "track_counts") == "off") {
    list.push_back("the server counts no transactions and blocks: its track_counts is off");
  }
  return list;
}

}  // namespace pgload::monitor
