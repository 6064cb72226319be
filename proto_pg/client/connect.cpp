// Opening a connection: which endpoints, with or without TLS, in libpq's order (manual: "SSL Protection in
// Different Modes"), and then the start-up of the protocol.

#include <openssl/evp.h>
#include <openssl/rand.h>

#include <array>
#include <boost/asio/this_coro.hpp>
#include <cctype>
#include <utility>

#include "proto_pg/client/connection.hpp"
#include "proto_pg/client/deadline.hpp"
#include "proto_pg/client/dial.hpp"
#include "proto_pg/client/scram_key_cache.hpp"
#include "proto_pg/client/tls_context.hpp"
#include "proto_pg/wire/frontend.hpp"
#include "proto_pg/wire/startup.hpp"

namespace proto_pg::client {

using Stage = OpenFailure::Stage;

/// How one try with one setting of TLS ended.
struct Connection::Attempt {
  OpenFailure failure;
  bool other_way = false;  ///< worth another try with TLS switched the other way, where sslmode allows it
};

namespace {

std::string sentence(const std::error_code& code) {
  std::string text = code.message();
  // "Connection refused" stands inside a sentence here; "TLS failed" must stay.
  if (text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])))
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

OpenFailure failed(Stage stage, std::error_code code, std::string text = {}) {
  OpenFailure failure;
  failure.stage = stage;
  failure.code = code;
  failure.text = text.empty() ? sentence(code) : std::move(text);
  return failure;
}

/// With TLS 1.3 a server refuses the client's certificate after the handshake: OpenSSL's reason says so.
OpenFailure link_failed(std::error_code code, const Stream& stream) {
  std::string text = sentence(code);
  if (code == wire::Errc::tls_failed) text += ": " + stream.tls_failure();
  return failed(Stage::startup, code, std::move(text));
}

OpenFailure refused(wire::ServerError server) {
  const auto state = server.sqlstate.text();
  std::string text = server.severity;
  if (server.sqlstate != wire::SqlState::missing()) {
    text += ' ';
    text.append(state.data(), state.size());
  }
  text += ": " + server.message;
  if (!server.detail.empty()) text += " (" + server.detail + ")";
  OpenFailure failure = failed(Stage::startup, wire::Errc::refused_by_server, std::move(text));
  failure.server = std::move(server);
  return failure;
}

/// "db1:5432", "db1:5432 (10.0.0.1)": the host as the user knows it, and the address that was tried.
std::string place(const Host& host, const Endpoint& endpoint) {
  const std::string name = host.name();
  if (host.unix_socket() || name == endpoint.text) return name;
  return name + " (" + endpoint.text.substr(0, endpoint.text.rfind(':')) + ")";
}

std::string timed_out_text(std::chrono::milliseconds limit) {
  const auto count = limit.count();
  const std::string number =
      count % 1000 == 0 ? std::to_string(count / 1000) + " s" : std::to_string(count) + " ms";
  return "timed out after " + number + " (connect_timeout)";
}

/// 18 random bytes as 24 printable characters; empty if OpenSSL has none.
std::string random_nonce() {
  std::array<unsigned char, 18> bytes;
  std::array<unsigned char, 25> text;
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) return {};
  EVP_EncodeBlock(text.data(), bytes.data(), static_cast<int>(bytes.size()));
  return std::string(reinterpret_cast<const char*>(text.data()), text.size() - 1);
}

bool tls_possible(SslMode mode, const Host& host) { return mode != SslMode::disable && !host.unix_socket(); }
bool tls_first(SslMode mode) { return mode >= SslMode::prefer; }
bool plain_possible(SslMode mode, const Host& host) { return mode < SslMode::require || host.unix_socket(); }

/// Another address of the host may do better: nobody answered there, or the link broke.
bool next_address_may_help(const OpenFailure& failure) {
  if (failure.stage == Stage::connect) return true;
  return failure.code == wire::Errc::connection_closed || failure.code == wire::Errc::timed_out ||
         failure.code.category() == std::system_category();
}

wire::StartupSettings startup_settings(const ConnectInfo& info, const Host& host, const Stream& stream) {
  wire::StartupSettings settings;
  settings.user = info.user;
  settings.database = info.database;
  settings.application_name = info.application_name;
  settings.options = info.options;
  settings.password = host.password;
  settings.channel_binding = info.channel_binding;
  settings.tls = stream.tls();
  settings.certificate_hash = stream.certificate_hash();
  settings.scram_nonce = random_nonce();
  return settings;
}

}  // namespace

void Connection::forget() {
  stream_.close();
  tracker_ = {};
  begin_batch();
  partial_.clear();
  parameters_.clear();
  cancel_key_.clear();
  process_id_ = 0;
  authentication_method_ = {};
  broken_ = false;
}

asio::awaitable<OpenFailure> Connection::open(const ConnectContext& context, const Host& host,
                                              std::span<const Endpoint> endpoints) {
  interrupted_.clear();
  OpenFailure failure = failed(Stage::connect, std::make_error_code(std::errc::host_unreachable),
                               host.name() + ": the host has no address");
  std::string told;
  for (const Endpoint& endpoint : endpoints) {
    stream_.reset();
    failure = co_await open_endpoint(context, host, endpoint);
    if (!failure.failed()) co_return failure;
    forget();
    if (interrupted_) failure = failed(failure.stage, interrupted_);
    if (!told.empty()) told += "; ";
    told += place(host, endpoint) + ": " + failure.text;
    failure.text = told;
    if (interrupted_ || !next_address_may_help(failure)) break;
  }
  co_return failure;
}

asio::awaitable<OpenFailure> Connection::open_endpoint(const ConnectContext& context, const Host& host,
                                                       const Endpoint& endpoint) {
  const SslMode mode = context.info.sslmode;
  const auto executor = co_await asio::this_coro::executor;
  const Deadline deadline(executor, stream_, context.info.connect_timeout);
  bool tls = tls_possible(mode, host) && tls_first(mode);
  Attempt tried = co_await attempt(context, host, endpoint, tls);
  const bool other_possible = tls ? plain_possible(mode, host) : tls_possible(mode, host);
  if (tried.failure.failed() && tried.other_way && other_possible && !stream_.shut_down()) {
    const std::string first = tried.failure.text;
    tls = !tls;
    tried = co_await attempt(context, host, endpoint, tls);
    if (tried.failure.failed() && tried.failure.text != first)
      tried.failure.text = (tls ? "without TLS: " : "with TLS: ") + first + "; " +
                           (tls ? "with TLS: " : "without TLS: ") + tried.failure.text;
  }
  if (deadline.expired()) {
    const Stage stage = tried.failure.failed() ? tried.failure.stage : Stage::startup;
    tried.failure = failed(stage, wire::Errc::timed_out, timed_out_text(context.info.connect_timeout));
  }
  if (tried.failure.failed()) co_return std::move(tried.failure);
  endpoint_ = endpoint;
  if (poller_.receive_sampler().on() && !host.unix_socket()) stream_.stamp_receipts();
  co_return std::move(tried.failure);
}

asio::awaitable<Connection::Attempt> Connection::attempt(const ConnectContext& context, const Host& host,
                                                         const Endpoint& endpoint, bool tls) {
  forget();
  Attempt result;
  const std::error_code error = co_await connect_socket(stream_, context.info, endpoint);
  if (error) {
    result.failure = failed(Stage::connect, error);
    co_return result;
  }
  if (tls) {
    result = co_await negotiate_tls(context, host);
    if (result.failure.failed()) co_return result;
  }
  result = co_await start_up(context, host);
  co_return result;
}

asio::awaitable<Connection::Attempt> Connection::negotiate_tls(const ConnectContext& context,
                                                               const Host& host) {
  Attempt result;
  TlsAnswer answer = co_await request_tls(stream_);
  switch (answer.kind) {
    case TlsAnswer::Kind::yes:
      break;
    case TlsAnswer::Kind::no:
      if (!plain_possible(context.info.sslmode, host))
        result.failure = failed(Stage::tls, wire::Errc::tls_not_offered);
      co_return result;
    case TlsAnswer::Kind::refused:
      result.failure = refused(std::move(answer.server));
      co_return result;
    case TlsAnswer::Kind::broken:
      result.failure = failed(Stage::tls, answer.error,
                              answer.error == wire::Errc::protocol_violation
                                  ? "received unencrypted data after SSL response"
                                  : std::string());
      co_return result;
  }
  std::string reason;
  const std::error_code error = co_await stream_.start_tls(context.tls, host.host, reason);
  if (error) result.failure = failed(Stage::tls, error, std::move(reason));
  result.other_way = result.failure.failed();
  co_return result;
}

asio::awaitable<Connection::Attempt> Connection::start_up(const ConnectContext& context, const Host& host) {
  using Wish = wire::StartupMachine::Wish;
  Attempt result;
  wire::StartupMachine machine(startup_settings(context.info, host, stream_));
  machine.start(out_);
  Wish wish = Wish::read;
  while (wish == Wish::read) {
    std::error_code error = out_.error();
    if (!error) error = co_await write_all(stream_, out_.view());
    traffic_.bytes_sent += out_.size();
    out_.clear();
    if (error) {
      result.failure = link_failed(error, stream_);
      co_return result;
    }
    const std::size_t limit = machine.authenticated() ? wire::kMaxReplyBytes : wire::kMaxStartupReplyBytes;
    const wire::Framed framed = co_await read_message(limit, error);
    if (error && !machine.authenticated() && wire::StartupMachine::is_old_style_error(partial_)) {
      co_await read_text();
      wish = machine.on_old_style_error(partial_);
      break;
    }
    if (error) {
      result.failure = link_failed(error, stream_);
      co_return result;
    }
    ++traffic_.messages_received;
    wish = machine.on_message(framed.message, out_);
    partial_.erase(0, framed.bytes);
    if (wish != Wish::derive_keys) continue;
    std::string password = machine.prepared_password();
    std::string salt(machine.salt());
    const std::uint32_t iterations = machine.iterations();
    const wire::ScramKeys keys =
        co_await context.scram_keys.keys(std::move(password), std::move(salt), iterations);
    wish = machine.on_keys(keys, out_);
  }
  if (wish == Wish::failed) {
    const bool told = machine.error() == wire::Errc::refused_by_server;
    result.failure = told ? refused(machine.server_error())
                          : failed(Stage::startup, machine.error(), machine.error_text());
    result.other_way = told && !machine.authenticated();
    co_return result;
  }
  const std::error_code error = take_over(machine);
  if (error) result.failure = failed(Stage::startup, error);
  co_return result;
}

std::error_code Connection::take_over(const wire::StartupMachine& machine) {
  parameters_ = machine.parameters();
  process_id_ = machine.process_id();
  cancel_key_ = machine.secret_key();
  authentication_method_ = machine.method();
  out_.clear();
  // What came behind ReadyForQuery can only be asynchronous messages.
  const std::string early = std::exchange(partial_, {});
  return consume(early, {});
}

/// Reads until `partial_` begins with a whole message, which the caller erases.
asio::awaitable<wire::Framed> Connection::read_message(std::size_t max_bytes, std::error_code& error) {
  wire::Framed framed = wire::next_message(partial_, max_bytes);
  while (framed.status == wire::Framed::Status::incomplete) {
    if (!stream_.readable()) co_await stream_.wait(stream_.read_needs());
    const Stream::Transfer transfer = stream_.try_read(poller_.read_buffer());
    error = transfer.error;
    if (error) co_return framed;
    traffic_.bytes_received += transfer.bytes;
    partial_.append(poller_.read_buffer().data(), transfer.bytes);
    framed = wire::next_message(partial_, max_bytes);
  }
  if (framed.status == wire::Framed::Status::error) error = framed.error;
  co_return framed;
}

/// Adds to `partial_` a text up to its zero byte or the end of the stream, at most as much as an error text
/// may have.
asio::awaitable<void> Connection::read_text() {
  while (partial_.find('\0') == std::string::npos && partial_.size() < wire::ServerError::kMaxFieldBytes) {
    if (!stream_.readable()) co_await stream_.wait(stream_.read_needs());
    const Stream::Transfer transfer = stream_.try_read(poller_.read_buffer());
    if (transfer.error) co_return;
    traffic_.bytes_received += transfer.bytes;
    partial_.append(poller_.read_buffer().data(), transfer.bytes);
  }
}

}  // namespace proto_pg::client
