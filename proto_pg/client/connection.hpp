#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "proto_pg/client/connect_info.hpp"
#include "proto_pg/client/stream.hpp"
#include "proto_pg/client/traffic.hpp"
#include "proto_pg/wire/reply_tracker.hpp"
#include "proto_pg/wire/send_buffer.hpp"

namespace proto_pg::client {

class ScramKeyCache;
class TlsContext;

/// A resolved socket address with the host it came from.
struct Endpoint {
  std::string storage;  ///< the bytes of a sockaddr
  std::string text;     ///< numeric, for messages: "127.0.0.1:5432"
};

/// Resolves `host` (getaddrinfo, blocking: call it before the workers start or on a helper thread). Several
/// addresses are all returned, in the resolver's order. On failure the list is empty and `reason` has a
/// sentence.
std::vector<Endpoint> resolve(const Host& host, std::string& reason);

/// Everything that connections of one run share.
struct ConnectContext {
  const ConnectInfo& info;
  const TlsContext& tls;
  ScramKeyCache& scram_keys;
};

/// Why `Connection::open` failed.
struct OpenFailure {
  enum class Stage : std::uint8_t { none, connect, tls, startup };
  Stage stage = Stage::none;
  std::error_code code;
  std::string text;          ///< one sentence for people, host named; never a password
  wire::ServerError server;  ///< for Errc::refused_by_server

  bool failed() const { return stage != Stage::none; }
};

/// Plain functions called while replies are read: no view can live across a wait. Unset ones are skipped.
struct ReplyVisitor {
  void* object = nullptr;
  /// A DataRow of the batch's `statement`-th statement.
  void (*row)(void* object, std::size_t statement, wire::RowView columns) = nullptr;
  /// What a described statement takes.
  void (*parameters)(void* object, std::size_t statement, wire::ParameterDescriptionView types) = nullptr;
  /// A Sync (or Query) was answered; every statement up to and including `statement` has its Outcome.
  void (*ready)(void* object, std::size_t statement) = nullptr;
};

/// One authenticated protocol stream. Builds a batch in its send buffer, then runs it: one contiguous write,
/// reads until the last Sync is answered. Never retries by itself; never shared; not movable.
class Connection {
 public:
  explicit Connection(Poller& poller);

  /// Tries the endpoints in order, each with the TLS attempts that sslmode allows, the whole within
  /// connect_timeout per endpoint. An authentication failure ends the attempt (it is no reason to fail over).
  asio::awaitable<OpenFailure> open(const ConnectContext& context, const Host& host,
                                    std::span<const Endpoint> endpoints);

  /// --- building a batch -------------------------------------------------------------------------------
  /// Encoders append to `out()`; each message is announced to `tracker()` in the same order.
  wire::SendBuffer& out() { return out_; }
  wire::ReplyTracker& tracker() { return tracker_; }

  /// Sends the batch and reads until nothing is owed. Returns the link's error; statement outcomes are in
  /// `tracker().outcomes()` until the next batch begins. While the socket does not take the whole batch,
  /// reading and writing alternate as readiness allows, so neither side can block the other for ever. Retries
  /// no I/O after an error: the connection is broken then, and has to be opened again.
  asio::awaitable<std::error_code> run(ReplyVisitor visitor = {}) {
    goal_ = Goal::answered;
    return exchange(visitor);
  }

  /// Clears the finished batch. The next one may be built.
  void begin_batch();

  /// --- convenience for set-up work (allocates) --------------------------------------------------------
  struct Result {
    std::error_code error;  ///< of the link
    std::optional<wire::ServerError> server_error;
    std::vector<std::vector<std::optional<std::string>>> rows;  ///< of all statements, text format
    bool ok() const { return !error && !server_error; }
  };
  /// Simple query protocol.
  asio::awaitable<Result> query(std::string sql);

  /// --- COPY FROM STDIN --------------------------------------------------------------------------------
  /// Sends `sql` and waits for CopyInResponse.
  asio::awaitable<Result> copy_in_begin(std::string sql);
  /// Sends what `out()` holds (whole CopyData messages), watching for an early ErrorResponse; stops at once
  /// on one.
  asio::awaitable<Result> copy_in_send();
  /// CopyDone, then waits for ReadyForQuery. `rows` of Outcome 0 has the server's count.
  asio::awaitable<Result> copy_in_end();

  /// --- state ------------------------------------------------------------------------------------------
  bool is_open() const { return stream_.is_open() && !broken_; }
  char transaction_status() const { return tracker_.transaction_status(); }
  std::optional<std::string_view> parameter(std::string_view name) const;  ///< last ParameterStatus
  std::string_view authentication_method() const { return authentication_method_; }
  TlsFacts tls_facts() const { return stream_.tls_facts(); }
  bool tls() const { return stream_.tls(); }
  std::int32_t process_id() const { return process_id_; }
  const std::string& cancel_key() const { return cancel_key_; }
  const Endpoint& endpoint() const { return endpoint_; }
  const wire::ServerError& last_error() const { return tracker_.last_error(); }

  Traffic traffic() const {
    Traffic all = traffic_;
    all.messages_sent = out_.messages();
    return all;
  }

  /// --- ending -----------------------------------------------------------------------------------------
  /// By the watchdog or stop: the running operation ends with `reason` (timed_out, cancelled).
  void interrupt(wire::Errc reason);
  /// By the owner: Terminate if possible, then close.
  void close();

 private:
  /// When the loop of `exchange` may end.
  enum class Goal : std::uint8_t { answered, copy_begun, copy_sent };
  struct Attempt;

  // opening (connect.cpp)
  asio::awaitable<OpenFailure> open_endpoint(const ConnectContext& context, const Host& host,
                                             const Endpoint& endpoint);
  asio::awaitable<Attempt> attempt(const ConnectContext& context, const Host& host, const Endpoint& endpoint,
                                   bool tls);
  asio::awaitable<Attempt> negotiate_tls(const ConnectContext& context, const Host& host);
  asio::awaitable<Attempt> start_up(const ConnectContext& context, const Host& host);
  asio::awaitable<wire::Framed> read_message(std::size_t max_bytes, std::error_code& error);
  asio::awaitable<void> read_text();
  std::error_code take_over(const wire::StartupMachine& machine);
  void forget();

  // running
  asio::awaitable<std::error_code> exchange(ReplyVisitor visitor);
  std::error_code link_state() const;
  bool finished() const;
  std::error_code flush_some();
  std::error_code read_available(ReplyVisitor visitor);
  Stream::Transfer read_some();
  void report_receipt() const;
  std::error_code consume(std::string_view bytes, ReplyVisitor visitor);
  std::error_code on_message(const wire::Message& message, ReplyVisitor visitor);
  void set_parameter(std::string_view payload);
  std::error_code lose_link(std::error_code error, ReplyVisitor visitor);
  Result result_of(std::error_code error) const;

  Stream stream_;
  Poller& poller_;
  wire::SendBuffer out_;
  std::size_t sent_ = 0;
  wire::ReplyTracker tracker_;
  std::string partial_;            ///< the incomplete message at the end of the last read
  std::size_t partial_needs_ = 0;  ///< bytes of it that must be there before it can be looked at again
  Goal goal_ = Goal::answered;
  std::chrono::nanoseconds received_{0};  ///< stamp of the batch's last read, if it was chosen
  std::uint32_t stands_for_ = 0;          ///< replies, if this one was chosen; else 0
  bool chosen_ = false;                   ///< whether or not is decided
  bool copy_ready_ = false;               ///< CopyInResponse was received in this batch
  bool refused_ = false;                  ///< an ErrorResponse was received in this batch
  bool broken_ = false;
  std::vector<std::pair<std::string, std::string>> parameters_;
  std::string_view authentication_method_;
  std::string cancel_key_;
  Endpoint endpoint_;
  std::int32_t process_id_ = 0;
  Traffic traffic_;  ///< without messages_sent, which `out_` counts
  std::error_code interrupted_;
};

/// Asks the server to cancel what `process_id` runs (manual: "Canceling Requests in Progress"): a connection
/// of its own, TLS as the original had it; waits for the server to close. Best effort, within
/// connect_timeout.
asio::awaitable<std::error_code> cancel(Poller& poller, const ConnectContext& context, const Host& host,
                                        const Endpoint& endpoint, std::int32_t process_id,
                                        std::string secret_key, bool tls);

}  // namespace proto_pg::client
