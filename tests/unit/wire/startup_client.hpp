#pragma once

// A client in its start-up, for the tests of the StartupMachine.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "proto_pg/wire/startup.hpp"
#include "tests/unit/wire/bytes.hpp"

namespace proto_pg::wire::test {

using Wish = StartupMachine::Wish;

inline const std::string kSecret = "s3cret-word";

/// A machine that has sent its StartupMessage, and what it has appended since.
class StartupClient {
 public:
  explicit StartupClient(const StartupSettings& settings) : machine(settings) {
    machine.start(out_);
    out_.clear();
  }
  /// Feeds a copy of exactly this size, so that ASan sees any read beyond.
  Wish feed(char type, const std::string& payload) {
    const std::unique_ptr<char[]> exact(new char[payload.size()]);
    payload.copy(exact.get(), payload.size());
    out_.clear();
    return machine.on_message({type, {exact.get(), payload.size()}}, out_);
  }
  Wish authentication(std::int32_t code, const std::string& rest = "") { return feed('R', i32(code) + rest); }
  Wish keys(const ScramKeys& keys) {
    out_.clear();
    return machine.on_keys(keys, out_);
  }
  std::string sent() const { return std::string(out_.view()); }
  bool says(std::string_view part) const { return machine.error_text().find(part) != std::string::npos; }

  StartupMachine machine;

 private:
  SendBuffer out_;
};

inline StartupSettings settings_with(std::optional<std::string> password) {
  StartupSettings settings;
  settings.user = "alice";
  settings.database = "shop";
  settings.password = std::move(password);
  settings.scram_nonce = "abc";
  return settings;
}

inline StartupSettings encrypted(ChannelBinding channel_binding) {
  auto settings = settings_with(kSecret);
  settings.channel_binding = channel_binding;
  settings.tls = true;
  settings.certificate_hash = "0123456789abcdef0123456789abcdef";
  return settings;
}

inline const std::string kPlain = z("SCRAM-SHA-256") + z("");
inline const std::string kBoth = z("SCRAM-SHA-256-PLUS") + kPlain;
inline const std::string kServerFirst = "r=abcdef,s=c2FsdA==,i=7";

}  // namespace proto_pg::wire::test
