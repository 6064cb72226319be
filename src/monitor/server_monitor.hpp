#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <exception>
#include <future>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "proto_pg/client/connection.hpp"
#include "src/monitor/counters.hpp"
#include "src/monitor/server_settings.hpp"

namespace pgload::monitor {

namespace asio = boost::asio;
namespace client = proto_pg::client;

/// Watches the server from a connection, a thread and a loop of its own: its counters before and after, and
/// once a second where our backends are. Whatever it can't have is a note, never an error.
class ServerMonitor {
 public:
  /// `connect` must outlive it.
  ServerMonitor(const client::ConnectContext& connect, client::Host host,
                std::vector<client::Endpoint> endpoints);
  ~ServerMonitor();
  ServerMonitor(const ServerMonitor&) = delete;
  ServerMonitor& operator=(const ServerMonitor&) = delete;

  /// The sessions are open (so that none of them finds its place taken) and the load is about to begin:
  /// connects and takes the first reading. Waits for that, but not long.
  void begin();
  /// Return at once.
  void window_began();
  void window_ended();

  struct Findings {
    std::optional<stats::ServerActivity> activity;
    std::vector<std::string> notes;
  };
  /// The sessions are closed. Takes the last reading when their backends are gone: only a backend's end makes
  /// it tell all that it counted, a busy one tells once a second and an idle one later still. Not waited for
  /// longer than 1.5 s (behind a pooler they do not end). Once, after `begin`.
  Findings finish();

 private:
  using Clock = std::chrono::steady_clock;
  struct Reading {
    stats::ServerActivity counters;
    std::uint64_t own_good = 0, own_failed = 0;  ///< transactions of the monitor that it has in it
  };

  asio::awaitable<void> watch();
  asio::awaitable<bool> open();
  asio::awaitable<void> learn();
  asio::awaitable<void> attend();
  asio::awaitable<void> rest(Clock::time_point until);
  asio::awaitable<void> sample();
  asio::awaitable<void> settle();
  asio::awaitable<void> read(std::optional<Reading>& reading);
  asio::awaitable<client::Connection::Result> ask(std::string sql, std::string source);
  std::string our_backends() const;
  void do_soon(void (ServerMonitor::*act)());
  void begin_window();
  void end_window();
  void end_watch();
  void give_up();
  void miss(const std::string& source, const std::string& reason);
  void ended(std::exception_ptr exception);
  void tell_begun();
  stats::ServerActivity activity();
  std::vector<std::string> notes() const;

  client::ConnectInfo info_;
  client::ConnectContext connect_;
  client::Host host_;
  std::vector<client::Endpoint> endpoints_;
  asio::io_context context_{1};
  client::Poller poller_;
  client::Connection connection_;
  asio::steady_timer timer_;  ///< cancelled when something was asked for
  asio::steady_timer limit_;  ///< of `finish`
  std::promise<void> begun_;
  std::thread thread_;

  // Of the monitor's thread, and of `finish` after its end.
  std::string application_name_;  ///< of our sessions, as the server writes it
  Settings settings_;
  std::optional<Reading> at_begin_, at_window_, at_end_;
  std::map<std::string, std::uint64_t> waits_;
  std::uint32_t samples_ = 0;
  std::uint64_t failed_queries_ = 0;
  std::map<std::string, std::string> missing_;  ///< view -> why
  std::string trouble_;                         ///< why there is nothing at all, or not until the end
  bool told_begun_ = false;
  bool read_window_ = false;
  bool sampling_ = false;
  bool ending_ = false;
  bool given_up_ = false;
  bool reset_ = false;
  Clock::time_point next_sample_;
};

}  // namespace pgload::monitor
