#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <list>
#include <string>
#include <thread>

namespace support {

/// A TCP proxy on a free loopback port before a server on 127.0.0.1. What it does to the bytes can be changed
/// at any moment, for all connections.
class FaultProxy {
 public:
  explicit FaultProxy(std::uint16_t server_port);
  ~FaultProxy();
  FaultProxy(const FaultProxy&) = delete;
  FaultProxy& operator=(const FaultProxy&) = delete;

  std::uint16_t port() const { return port_; }

  /// One byte per write to the client.
  void slice(bool on) { slice_ = on; }
  /// Nothing is passed on, nothing is closed: a host that vanished. Off: what waited goes on its way.
  void stall(bool on);
  /// Every byte to the client arrives this much later.
  void delay(std::chrono::milliseconds time) { delay_ms_ = static_cast<int>(time.count()); }
  /// Resets all connections that are open now.
  void cut();

 private:
  using Clock = std::chrono::steady_clock;
  struct Piece {
    std::string bytes;
    Clock::time_point due;
  };
  struct Link {
    int client = -1;
    int server = -1;
    std::deque<Piece> waiting;  ///< for the client
    bool dead = false;          ///< one side closed
    bool cut = false;
  };

  void loop();
  void accept_one();
  void from_client(Link& link);
  void from_server(Link& link);
  void to_client(Link& link);
  int wait_ms() const;
  void wake();

  std::uint16_t server_port_;
  std::uint16_t port_ = 0;
  int listener_ = -1;
  int wake_ = -1;  ///< eventfd
  std::list<Link> links_;
  std::atomic<bool> slice_ = false, stall_ = false, cut_ = false, end_ = false;
  std::atomic<int> delay_ms_ = 0;
  std::thread thread_;
};

}  // namespace support
