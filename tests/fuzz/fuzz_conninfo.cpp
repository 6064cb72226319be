// Any text given as -d must end in settings or a ConnectInfoError, never in a crash, and its secrets must be
// found.
//
// Input: the text of -d.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "proto_pg/client/connect_info.hpp"

namespace {

using namespace proto_pg::client;

/// A broken invariant must stop the fuzzer in every kind of build, so no assert.
void require(bool holds) {
  if (!holds) std::abort();
}

/// Returns the password of `text`; empty if there is none or the text is refused.
std::string password_of(std::string_view text) {
  try {
    auto values = parse_conninfo(text);
    return values["password"];
  } catch (const ConnectInfoError&) {
    return {};
  }
}

void check_spans(std::string_view text) {
  std::size_t last_end = 0;
  for (const auto& [begin, end] : password_spans(text)) {
    require(last_end <= begin && begin < end && end <= text.size());
    last_end = end;
  }
}

void check_settings(std::string_view text) {
  Surroundings surroundings;
  surroundings.user_name = "nobody";
  ConnectFlags flags;
  flags.dbname = text;
  if (text.find("passfile") != std::string_view::npos)
    return;  // the fuzzer shall not read files of its own choice
  try {
    const auto info = make_connect_info(flags, surroundings);
    require(!info.hosts.empty() && !info.user.empty() && !info.database.empty());
    for (const auto& host : info.hosts)
      require(host.port > 0 && !(host.host.empty() && host.hostaddr.empty()));
  } catch (const ConnectInfoError& error) {
    require(*error.what() != '\0');
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_spans(text);
  if (is_conninfo(text) && !password_of(text).empty()) {
    const auto left = password_of(redacted(text));
    require(left.empty() || left == "***");
  }
  check_settings(text);
  return 0;
}
