#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <system_error>
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
  std::string application_name;  ///< empty: not sent
  std::string options;           ///< empty: not sent
  std::optional<std::string> password;  ///< explicit empty is a value (nullopt: none given)
  ChannelBinding channel_binding = ChannelBinding::prefer;
  bool tls = false;               ///< the stream is encrypted
  std::string certificate_hash;   ///< tls-server-end-point data; empty if there is none
  std::string scram_nonce;        ///< see ScramExchange
};

/// Start-up and authentication (manual: "Start-up", "SASL Authentication"), from StartupMessage to the first
/// ReadyForQuery. Without I/O: it is fed whole messages and appends answers.
///
///     start -> Authentication* (-> password/SASL answers) -> AuthenticationOk
///           -> (ParameterStatus | BackendKeyData | NoticeResponse | NegotiateProtocolVersion)* -> ReadyForQuery
class StartupMachine {
 public:
  enum class Wish : std::uint8_t {
    read,         ///< send what is in the buffer, then feed the next message
    derive_keys,  ///< compute derive_scram_keys(prepared password, salt(), iterations()), then `on_keys`
    done,         ///< ready for queries
    failed,       ///< `error()`, `error_text()`; for refused_by_server also `server_error()`
  };

  explicit StartupMachine(StartupSettings settings);

  void start(SendBuffer& out);
  Wish on_message(const Message& message, SendBuffer& out);
  Wish on_keys(const ScramKeys& keys, SendBuffer& out);

  std::string_view salt() const;
  std::uint32_t iterations() const;

  /// False until AuthenticationOk: kMaxStartupReplyBytes is the limit till then.
  bool authenticated() const { return authenticated_; }
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
  Wish on_authentication(std::string_view payload, SendBuffer& out);
  Wish on_sasl_mechanisms(std::string_view list, SendBuffer& out);
  Wish fail(std::error_code code, std::string text);

  StartupSettings settings_;
  std::optional<ScramExchange> scram_;
  bool scram_verified_ = false;
  bool authenticated_ = false;
  std::string_view method_ = "trust";
  std::int32_t process_id_ = 0;
  std::string secret_key_;
  std::vector<std::pair<std::string, std::string>> parameters_;
  std::error_code error_;
  std::string error_text_;
  ServerError server_error_;
};

}  // namespace proto_pg::wire
