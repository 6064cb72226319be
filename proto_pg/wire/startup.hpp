#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "proto_pg/wire/backend.hpp"
#include "proto_pg/wire/scram.hpp"
#include "proto_pg/wire/send_buffer.hpp"
#include "proto_pg/wire/server_error.hpp"

namespace proto_pg::wire {

enum class ChannelBinding : std::uint8_t { disable, prefer, require };

/// All that start-up needs to know, besides what the server will say.
struct StartupSettings {
  std::string user;
  std::string database;
  std::string application_name;         ///< empty: not sent
  std::string options;                  ///< empty: not sent
  std::optional<std::string> password;  ///< explicit empty is a value (nullopt: none given)
  ChannelBinding channel_binding = ChannelBinding::prefer;
  bool tls = false;              ///< the stream is encrypted
  std::string certificate_hash;  ///< tls-server-end-point data; empty if there is none
  std::string scram_nonce;       ///< see ScramExchange; empty: there were no random bytes
};

/// Start-up and authentication (manual: "Start-up", "SASL Authentication"), from StartupMessage to the first
/// ReadyForQuery. Without I/O: it is fed whole messages and appends answers.
class StartupMachine {
 public:
  enum class Wish : std::uint8_t {
    read,         ///< send what is in the buffer, then feed the next message
    derive_keys,  ///< compute derive_scram_keys(prepared_password(), salt(), iterations()), then `on_keys`
    done,         ///< ready for queries
    failed,       ///< `error()`, `error_text()`; for refused_by_server also `server_error()`
  };

  explicit StartupMachine(StartupSettings settings);

  void start(SendBuffer& out);
  Wish on_message(const Message& message, SendBuffer& out);
  Wish on_keys(const ScramKeys& keys, SendBuffer& out);

  /// A server that cannot even fork for us answers as protocol 2 did: 'E', a text, a zero byte, and closes.
  /// True if `bytes` begin like that; next_message calls them too large. Ask before AuthenticationOk, and if
  /// so, read until the server closes and feed all of it to `on_old_style_error`.
  static bool is_old_style_error(std::string_view bytes);
  Wish on_old_style_error(std::string_view bytes);

  /// What derive_scram_keys needs; set while the wish is derive_keys.
  const std::string& prepared_password() const { return prepared_password_; }
  std::string_view salt() const { return scram_ ? scram_->salt() : std::string_view(); }
  std::uint32_t iterations() const { return scram_ ? scram_->iterations() : 0; }

  /// False until AuthenticationOk: kMaxStartupReplyBytes is the limit till then.
  bool authenticated() const { return state_ == State::settling || state_ == State::ready; }
  /// "trust", "password", "md5", "scram-sha-256", "scram-sha-256-plus": what the server asked for.
  std::string_view method() const { return method_; }

  std::int32_t process_id() const { return process_id_; }
  const std::string& secret_key() const { return secret_key_; }
  /// ParameterStatus values in the order received, later ones replacing earlier ones of the same name.
  const std::vector<std::pair<std::string, std::string>>& parameters() const { return parameters_; }

  std::error_code error() const { return error_; }
  /// A sentence for people that names the thing and the remedy; never contains the password.
  const std::string& error_text() const { return error_text_; }
  const ServerError& server_error() const { return server_error_; }

 private:
  enum class State : std::uint8_t {
    unanswered,  ///< the server has not yet said how it wants us to authenticate
    password_sent,
    sasl_first,  ///< client-first is sent
    deriving_keys,
    sasl_final,     ///< client-final is sent
    sasl_verified,  ///< the server has proved that it knows the password
    settling,       ///< AuthenticationOk is there
    ready,
    failed,
  };

  Wish on_authentication(std::string_view payload, SendBuffer& out);
  Wish on_authentication_ok(std::string_view rest);
  Wish on_password_request(std::string_view method, std::string_view salt, SendBuffer& out);
  Wish on_sasl_mechanisms(std::string_view list, SendBuffer& out);
  Wish begin_scram(Gs2 gs2, SendBuffer& out);
  Wish on_sasl_continue(std::string_view server_first);
  Wish on_sasl_final(std::string_view server_final);
  Wish on_parameter_status(std::string_view payload);
  Wish on_backend_key_data(std::string_view payload);
  Wish on_ready_for_query(std::string_view payload);
  Wish on_error_response(std::string_view payload);
  Wish password_missing();
  Wish binding_missing(std::string_view why);
  Wish malformed(std::string_view name);
  Wish unexpected(std::string_view name);
  Wish fail(Errc code, std::string text);

  StartupSettings settings_;
  State state_ = State::unanswered;
  std::optional<ScramExchange> scram_;
  std::string prepared_password_;
  std::string_view method_ = "trust";
  std::int32_t process_id_ = 0;
  std::string secret_key_;
  std::vector<std::pair<std::string, std::string>> parameters_;
  std::error_code error_;
  std::string error_text_;
  ServerError server_error_;
};

}  // namespace proto_pg::wire
