// What the server may send during start-up, in the order of the manual ("Start-up", "SASL Authentication").
// The states are those of the header; `!` marks our answers:
//
//     startup   = !StartupMessage authentication settling
//     authentication                                               -- unanswered
//               = AuthenticationOk                                 -- trust, peer, cert …
//               | AuthenticationCleartextPassword !PasswordMessage AuthenticationOk   -- password_sent
//               | AuthenticationMD5Password !PasswordMessage AuthenticationOk         -- password_sent
//               | AuthenticationSASL !SASLInitialResponse          -- sasl_first
//                 AuthenticationSASLContinue                       -- deriving_keys
//                 !SASLResponse                                    -- sasl_final
//                 AuthenticationSASLFinal                          -- sasl_verified
//                 AuthenticationOk
//     settling  = *(ParameterStatus | BackendKeyData) ReadyForQuery
//
// NoticeResponse and NegotiateProtocolVersion may stand anywhere and are passed over: we ask for 3.0 and no
// options, so there is nothing to negotiate. ErrorResponse may stand anywhere and ends it.
#include "proto_pg/wire/startup.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <span>

#include "proto_pg/wire/byte_order.hpp"
#include "proto_pg/wire/frontend.hpp"
#include "proto_pg/wire/md5_password.hpp"

namespace proto_pg::wire {
namespace {

constexpr std::string_view kScram = "SCRAM-SHA-256";
constexpr std::string_view kScramPlus = "SCRAM-SHA-256-PLUS";
constexpr std::size_t kMaxShownBytes = 1024;  ///< of a text from the server in an error text

/// Codes of the Authentication messages (manual: "Message Formats").
enum class Method : std::uint32_t {
  ok = 0,
  cleartext_password = 3,
  md5_password = 5,
  sasl = 10,
  sasl_continue = 11,
  sasl_final = 12,
};

std::string unsupported_name(std::uint32_t code) {
  switch (code) {
    case 1:
      return "Kerberos V4";
    case 2:
      return "Kerberos V5";
    case 4:
      return "crypt";
    case 6:
      return "SCM credentials";
    case 7:
      return "GSSAPI";
    case 8:
      return "GSSAPI (continued)";
    case 9:
      return "SSPI";
    default:
      return "an unknown method";
  }
}

/// A server's text for a terminal: no control characters, not endless.
std::string shown(std::string_view text) {
  std::string result(text.substr(0, kMaxShownBytes));
  std::ranges::replace_if(result, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return result;
}

/// Reads zero-terminated texts up to the empty one that ends the payload.
std::optional<std::vector<std::string_view>> parse_mechanisms(std::string_view list) {
  std::vector<std::string_view> names;
  while (true) {
    const auto end = list.find('\0');
    if (end == std::string_view::npos) return std::nullopt;
    const auto name = list.substr(0, end);
    list.remove_prefix(end + 1);
    if (name.empty()) break;
    names.push_back(name);
  }
  if (!list.empty()) return std::nullopt;
  return names;
}

std::string joined(const std::vector<std::string_view>& names) {
  std::string result;
  for (const auto name : names) {
    if (!result.empty()) result += ", ";
    result += name;
  }
  return result.empty() ? "none" : result;
}

}  // namespace

StartupMachine::StartupMachine(StartupSettings settings) : settings_(std::move(settings)) {}

void StartupMachine::start(SendBuffer& out) {
  std::array<StartupParameter, 4> parameters;
  std::size_t count = 0;
  const auto add = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) parameters[count++] = {name, value};
  };
  add("user", settings_.user);
  add("database", settings_.database);
  add("application_name", settings_.application_name);
  add("options", settings_.options);
  encode_startup(out, std::span(parameters).first(count));
}

StartupMachine::Wish StartupMachine::on_message(const Message& message, SendBuffer& out) {
  if (state_ == State::failed) return Wish::failed;
  switch (message.type) {
    case 'E':
      return on_error_response(message.payload);
    case 'N':
    case 'v':
      return Wish::read;
    case 'R':
      if (!authenticated()) return on_authentication(message.payload, out);
      break;
    case 'S':
      if (state_ == State::settling) return on_parameter_status(message.payload);
      break;
    case 'K':
      if (state_ == State::settling) return on_backend_key_data(message.payload);
      break;
    case 'Z':
      if (state_ == State::settling) return on_ready_for_query(message.payload);
      break;
    default:
      break;
  }
  return unexpected("a message of type '" + shown({&message.type, 1}) + "'");
}

StartupMachine::Wish StartupMachine::on_authentication(std::string_view payload, SendBuffer& out) {
  if (payload.size() < 4) return malformed("an Authentication message");
  const auto code = load_big_endian<std::uint32_t>(payload.data());
  const auto rest = payload.substr(4);
  switch (static_cast<Method>(code)) {
    case Method::ok:
      return on_authentication_ok(rest);
    case Method::sasl_continue:
      return on_sasl_continue(rest);
    case Method::sasl_final:
      return on_sasl_final(rest);
    default:
      break;
  }
  if (state_ != State::unanswered) return unexpected("a second request for authentication");
  switch (static_cast<Method>(code)) {
    case Method::cleartext_password:
      if (!rest.empty()) return malformed("AuthenticationCleartextPassword");
      return on_password_request("password", rest, out);
    case Method::md5_password:
      if (rest.size() != kMd5SaltBytes) return malformed("AuthenticationMD5Password");
      return on_password_request("md5", rest, out);
    case Method::sasl:
      return on_sasl_mechanisms(rest, out);
    default:
      break;
  }
  const auto name = unsupported_name(code) + " (code " + std::to_string(code) + ")";
  if (settings_.channel_binding == ChannelBinding::require)
    return binding_missing("the server asks for " + name);
  return fail(Errc::unsupported_authentication, "the server asks for authentication by " + name +
                                                    ", which is not supported: let its pg_hba.conf ask for "
                                                    "scram-sha-256, md5, password, cert or trust");
}

StartupMachine::Wish StartupMachine::on_authentication_ok(std::string_view rest) {
  if (!rest.empty()) return malformed("AuthenticationOk");
  const bool sasl = scram_.has_value();
  if (sasl && state_ != State::sasl_verified) {
    return fail(Errc::server_not_authentic,
                "the server ended the SCRAM exchange without proving that it knows the password: "
                "it may not be the server it pretends to be");
  }
  if (settings_.channel_binding == ChannelBinding::require && method_ != "scram-sha-256-plus") {
    return binding_missing("the server let us in without it");
  }
  state_ = State::settling;
  return Wish::read;
}

StartupMachine::Wish StartupMachine::on_password_request(std::string_view method, std::string_view salt,
                                                         SendBuffer& out) {
  method_ = method;
  if (settings_.channel_binding == ChannelBinding::require) {
    return binding_missing("the server asks for method " + std::string(method));
  }
  if (!settings_.password) return password_missing();
  if (salt.empty()) {
    encode_password(out, *settings_.password);
  } else {
    const auto answer = md5_password(settings_.user, *settings_.password, salt);
    if (!answer) {
      return fail(Errc::unsupported_authentication,
                  "the server asks for method md5, which this machine's OpenSSL refuses to compute: "
                  "let the server's password_encryption and pg_hba.conf be scram-sha-256");
    }
    encode_password(out, *answer);
  }
  state_ = State::password_sent;
  return Wish::read;
}

StartupMachine::Wish StartupMachine::on_sasl_mechanisms(std::string_view list, SendBuffer& out) {
  const auto names = parse_mechanisms(list);
  if (!names) return malformed("AuthenticationSASL");
  const bool plus = std::ranges::find(*names, kScramPlus) != names->end();
  const bool plain = std::ranges::find(*names, kScram) != names->end();
  const bool required = settings_.channel_binding == ChannelBinding::require;
  // The end point's certificate may have a signature for which RFC 5929 defines no hash (Ed25519).
  const bool able = settings_.tls && !settings_.certificate_hash.empty() &&
                    settings_.channel_binding != ChannelBinding::disable;
  if (required && !settings_.tls) {
    return binding_missing("the connection is not encrypted (see sslmode)");
  }
  if (plus && !settings_.tls) {
    return fail(
        Errc::protocol_violation,
        "the server offers SCRAM-SHA-256-PLUS on a connection without TLS: something on the way may have "
        "removed the encryption; use sslmode=verify-full");
  }
  if (required && !plus) return binding_missing("the server offers only " + shown(joined(*names)));
  if (required && !able)
    return binding_missing("the server's certificate has a signature without a known hash");
  if (plus && able) return begin_scram(Gs2::tls_server_end_point, out);
  if (plain) return begin_scram(able ? Gs2::server_lacks_it : Gs2::not_supported, out);
  return fail(Errc::unsupported_authentication,
              "none of the SASL mechanisms that the server offers can be used: " + shown(joined(*names)) +
                  (plus ? " (see channel_binding)" : ""));
}

StartupMachine::Wish StartupMachine::begin_scram(Gs2 gs2, SendBuffer& out) {
  const bool bound = gs2 == Gs2::tls_server_end_point;
  method_ = bound ? "scram-sha-256-plus" : "scram-sha-256";
  if (!settings_.password) return password_missing();
  // A guessed nonce would let an old exchange be replayed to us.
  if (settings_.scram_nonce.empty()) {
    return fail(Errc::no_random_bytes,
                "OpenSSL has no random bytes for the SCRAM login: see to this machine's /dev/urandom, or to "
                "OpenSSL's configuration (openssl rand 18)");
  }
  prepared_password_ = sasl_prepare(*settings_.password);
  scram_.emplace(gs2, settings_.scram_nonce, bound ? settings_.certificate_hash : std::string());
  encode_sasl_initial_response(out, bound ? kScramPlus : kScram, scram_->client_first());
  state_ = State::sasl_first;
  return Wish::read;
}

StartupMachine::Wish StartupMachine::on_sasl_continue(std::string_view server_first) {
  if (state_ != State::sasl_first) return unexpected("AuthenticationSASLContinue");
  const auto error = scram_->on_server_first(server_first);
  if (error == Errc::server_not_authentic) {
    return fail(Errc::server_not_authentic, "the server's SCRAM nonce does not continue ours");
  }
  if (error) {
    return fail(Errc::protocol_violation,
                "the server's first SCRAM message is malformed, or asks for more than " +
                    std::to_string(kMaxScramIterations) + " iterations");
  }
  state_ = State::deriving_keys;
  return Wish::derive_keys;
}

StartupMachine::Wish StartupMachine::on_keys(const ScramKeys& keys, SendBuffer& out) {
  assert(state_ == State::deriving_keys);
  encode_sasl_response(out, scram_->client_final(keys));
  state_ = State::sasl_final;
  return Wish::read;
}

StartupMachine::Wish StartupMachine::on_sasl_final(std::string_view server_final) {
  if (state_ != State::sasl_final) return unexpected("AuthenticationSASLFinal");
  const auto error = scram_->on_server_final(server_final);
  if (error == Errc::refused_by_server) {
    server_error_.message = scram_->refusal();
    return fail(Errc::refused_by_server,
                "the server refused the SCRAM exchange: " + shown(scram_->refusal()));
  }
  if (error == Errc::server_not_authentic) {
    return fail(Errc::server_not_authentic,
                "the server's SCRAM signature is wrong: it does not know the password, so it may not be the "
                "server it pretends to be");
  }
  if (error) return malformed("the server's last SCRAM message");
  state_ = State::sasl_verified;
  return Wish::read;
}

StartupMachine::Wish StartupMachine::on_parameter_status(std::string_view payload) {
  const auto status = decode_parameter_status(payload);
  if (!status) return malformed("ParameterStatus");
  const auto known =
      std::ranges::find(parameters_, status->name, [](const auto& p) -> std::string_view { return p.first; });
  if (known != parameters_.end()) {
    known->second = status->value;
  } else {
    parameters_.emplace_back(status->name, status->value);
  }
  return Wish::read;
}

StartupMachine::Wish StartupMachine::on_backend_key_data(std::string_view payload) {
  const auto data = decode_backend_key_data(payload);
  if (!data) return malformed("BackendKeyData");
  process_id_ = data->process_id;
  secret_key_ = data->secret_key;
  return Wish::read;
}

StartupMachine::Wish StartupMachine::on_ready_for_query(std::string_view payload) {
  if (!decode_ready_for_query(payload)) return malformed("ReadyForQuery");
  state_ = State::ready;
  return Wish::done;
}

StartupMachine::Wish StartupMachine::on_error_response(std::string_view payload) {
  if (!server_error_.assign(payload)) return malformed("ErrorResponse");
  auto text = "the server refused the connection: " + shown(server_error_.severity) + ": " +
              shown(server_error_.message);
  if (server_error_.sqlstate != SqlState::missing()) {
    const auto code = server_error_.sqlstate.text();
    text += " (" + std::string(code.data(), code.size()) + ")";
  }
  return fail(Errc::refused_by_server, std::move(text));
}

// Where the text begins, a message has the highest byte of its length: no ErrorResponse is that long.
bool StartupMachine::is_old_style_error(std::string_view bytes) {
  if (bytes.size() < 2 || bytes[0] != 'E') return false;
  const auto first = static_cast<unsigned char>(bytes[1]);
  return first >= 0x20 && first != 0x7f;
}

StartupMachine::Wish StartupMachine::on_old_style_error(std::string_view bytes) {
  if (!bytes.empty()) bytes.remove_prefix(1);
  const auto text = bytes.substr(0, std::min(bytes.find('\0'), ServerError::kMaxFieldBytes));
  server_error_.severity = "FATAL";
  server_error_.message = text.substr(0, text.find_last_not_of("\r\n ") + 1);
  return fail(Errc::refused_by_server,
              "the server refused the connection: FATAL: " + shown(server_error_.message));
}

StartupMachine::Wish StartupMachine::password_missing() {
  return fail(Errc::password_missing, "the server asks user \"" + shown(settings_.user) +
                                          "\" for a password (method " + std::string(method_) +
                                          ") and none was given: use -W, PGPASSWORD or a password file");
}

StartupMachine::Wish StartupMachine::binding_missing(std::string_view why) {
  return fail(Errc::channel_binding_missing,
              "channel_binding=require cannot be met, because " + std::string(why) +
                  ": it needs TLS and a server that offers SCRAM-SHA-256-PLUS");
}

StartupMachine::Wish StartupMachine::malformed(std::string_view name) {
  return fail(Errc::protocol_violation,
              "the server broke the protocol during start-up: " + std::string(name) + " is malformed");
}

StartupMachine::Wish StartupMachine::unexpected(std::string_view name) {
  return fail(Errc::protocol_violation, "the server broke the protocol during start-up: " +
                                            std::string(name) + " is not expected here; is it PostgreSQL?");
}

StartupMachine::Wish StartupMachine::fail(Errc code, std::string text) {
  state_ = State::failed;
  error_ = code;
  error_text_ = std::move(text);
  return Wish::failed;
}

}  // namespace proto_pg::wire
