#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

struct ssl_st;

namespace support {

/// One accepted connection of a FakeServer as its script sees it: blocking, whole messages. A client that
/// does something else than expected ends the script with an exception, which FakeServer::failure() shows.
class FakeSession {
 public:
  struct Message {
    char type = 0;  ///< 0: start-up packet, SSLRequest, CancelRequest
    std::string payload;
  };

  explicit FakeSession(int fd);
  ~FakeSession();
  FakeSession(const FakeSession&) = delete;
  FakeSession& operator=(const FakeSession&) = delete;

  /// A message without type byte.
  Message startup_packet();
  Message next();
  /// The next message must be of this type; its payload.
  std::string expect(char type);
  /// Messages until one of this type has come.
  void expect_until(char type) {
    while (next().type != type) {
    }
  }

  /// Whatever comes next, as it comes.
  std::string receive();

  /// When the kernel received what was read last (without TLS): this thread may have been late.
  std::chrono::steady_clock::time_point received() const { return received_; }

  /// Reads an SSLRequest and answers with these bytes ("N", "S", an old-style error …).
  void answer_ssl_request(std::string_view bytes);
  /// After "S": the TLS handshake with this certificate and key. False if the client gave up.
  bool start_tls(const std::string& certificate, const std::string& key);
  /// SSLRequest, if there is one, answered with N; then the start-up packet; then `reply`.
  void accept_startup(std::string_view reply);

  void send(std::string_view bytes);
  /// One write per byte (TCP_NODELAY): every border of a message is met.
  void send_sliced(std::string_view bytes);
  /// Waits until the client (or the FakeServer's end) closes. Returns the bytes that came in between.
  std::string hold();
  /// Closes with a reset instead of an orderly end.
  void reset();

 private:
  std::string read_exactly(std::size_t count);
  std::size_t read_some(char* into, std::size_t count);
  std::size_t read_stamped(char* into, std::size_t count);

  int fd_;
  std::chrono::steady_clock::time_point received_;
  ssl_st* ssl_ = nullptr;
};

/// A server on a free loopback port whose every connection is played by the same script, one thread each.
class FakeServer {
 public:
  using Script = std::function<void(FakeSession&)>;

  explicit FakeServer(Script script);
  ~FakeServer();
  FakeServer(const FakeServer&) = delete;
  FakeServer& operator=(const FakeServer&) = delete;

  std::uint16_t port() const { return port_; }
  int accepted() const { return accepted_; }
  /// Cuts every connection, waits for the scripts, and tells the first surprise; empty if all went as
  /// written.
  std::string finish();

 private:
  void accept_loop();
  void play(int fd);

  Script script_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<int> accepted_ = 0;
  std::mutex mutex_;
  std::vector<int> open_;
  std::vector<std::thread> players_;
  std::string failure_;
  bool finished_ = false;
  std::thread acceptor_;
};

}  // namespace support
