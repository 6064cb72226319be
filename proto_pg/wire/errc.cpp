#include "proto_pg/wire/errc.hpp"

#include <string>

namespace proto_pg::wire {
namespace {

class Category final : public std::error_category {
 public:
  const char* name() const noexcept override { return "proto_pg"; }
  std::string message(int value) const override {
    switch (static_cast<Errc>(value)) {
      case Errc::connection_closed:
        return "the server closed the connection";
      case Errc::protocol_violation:
        return "the server broke the protocol";
      case Errc::message_too_large:
        return "a message is larger than allowed";
      case Errc::too_many_parameters:
        return "more than 65,535 parameters (or 32,767 COPY columns)";
      case Errc::unsupported_authentication:
        return "the server asks for an unsupported authentication method";
      case Errc::password_missing:
        return "the server asks for a password and none was given";
      case Errc::tls_not_offered:
        return "the server does not offer TLS";
      case Errc::tls_failed:
        return "TLS failed";
      case Errc::server_not_authentic:
        return "the server could not prove that it knows the password";
      case Errc::channel_binding_missing:
        return "channel binding is required and not possible";
      case Errc::no_random_bytes:
        return "no random bytes for the login";
      case Errc::refused_by_server:
        return "the server refused the connection";
      case Errc::timed_out:
        return "timed out";
      case Errc::cancelled:
        return "cancelled";
    }
    return "unknown error";
  }
};

}  // namespace

std::error_code make_error_code(Errc code) {
  static const Category category;
  return {static_cast<int>(code), category};
}

}  // namespace proto_pg::wire
