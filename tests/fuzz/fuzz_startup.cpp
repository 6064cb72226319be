// Whatever a server sends while we log in must end in a judgement, never in a crash, a leaked password or a
// login that should not be.
//
// Input: a byte of settings (bit 0: the stream is encrypted, 1: there is a certificate hash, 2: there is a
// password, 3 and 4: channel_binding), then what the server sends. The nonce and the password are fixed, so
// that a seed can hold a whole SCRAM exchange.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "proto_pg/wire/startup.hpp"

namespace {

using namespace proto_pg::wire;
using Wish = StartupMachine::Wish;

constexpr std::string_view kPassword = "pencil-and-paper";
constexpr std::uint32_t kDerivable = 16;  ///< iterations that do not make fuzzing slow

/// A broken invariant must stop the fuzzer in every kind of build, so no assert.
void require(bool holds) {
  if (!holds) std::abort();
}

StartupSettings settings_from(unsigned bits) {
  StartupSettings settings;
  settings.user = "alice";
  settings.database = "shop";
  settings.tls = (bits & 1) != 0;
  if ((bits & 2) != 0) settings.certificate_hash = "0123456789abcdef0123456789abcdef";
  if ((bits & 4) != 0) settings.password = kPassword;
  settings.channel_binding = static_cast<ChannelBinding>((bits >> 3 & 3) % 3);
  settings.scram_nonce = "abc";
  return settings;
}

/// The server's bytes, message by message, as Connection feeds them; the last wish.
Wish feed(StartupMachine& machine, std::string_view stream, SendBuffer& out) {
  machine.start(out);
  Wish wish = Wish::read;
  while (wish == Wish::read) {
    require(!out.error());
    out.clear();
    const std::size_t limit = machine.authenticated() ? kMaxReplyBytes : kMaxStartupReplyBytes;
    const Framed found = next_message(stream, limit);
    if (found.status != Framed::Status::complete) {
      if (machine.authenticated() || !StartupMachine::is_old_style_error(stream)) return wish;
      return machine.on_old_style_error(stream);
    }
    // A copy of its own, so that a read behind the payload is not hidden by the next message.
    const std::vector<char> copy(found.message.payload.begin(), found.message.payload.end());
    wish = machine.on_message({found.message.type, {copy.data(), copy.size()}}, out);
    stream.remove_prefix(found.bytes);
    if (wish != Wish::derive_keys) continue;
    require(machine.iterations() >= 1 && machine.iterations() <= kMaxScramIterations);
    const bool derivable = machine.iterations() <= kDerivable;
    wish = machine.on_keys(
        derivable ? derive_scram_keys(machine.prepared_password(), machine.salt(), machine.iterations())
                  : ScramKeys(),
        out);
  }
  return wish;
}

void judge(const StartupMachine& machine, const StartupSettings& settings, Wish wish, bool echoed) {
  require((wish == Wish::failed) == static_cast<bool>(machine.error()));
  require((wish == Wish::failed) == !machine.error_text().empty());
  require(echoed || machine.error_text().find(kPassword) == std::string::npos);
  if (wish == Wish::failed) require(!machine.authenticated());
  if (wish == Wish::done) require(machine.authenticated());
  if (!machine.authenticated()) return;
  const bool bound = machine.method() == "scram-sha-256-plus";
  require(bound || settings.channel_binding != ChannelBinding::require);
  require(!bound || (settings.tls && !settings.certificate_hash.empty()));
  require(machine.method() == "trust" || settings.password);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view input(reinterpret_cast<const char*>(data), size);
  const unsigned bits = input.empty() ? 0 : static_cast<unsigned char>(input.front());
  input.remove_prefix(input.empty() ? 0 : 1);
  const StartupSettings settings = settings_from(bits);
  StartupMachine machine(settings);
  SendBuffer out;
  const Wish wish = feed(machine, input, out);
  judge(machine, settings, wish, input.find(kPassword) != std::string_view::npos);
  // Who has failed stays so.
  if (wish == Wish::failed) require(machine.on_message({'Z', "I"}, out) == Wish::failed);
  return 0;
}
