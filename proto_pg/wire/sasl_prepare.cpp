#include <stringprep.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "proto_pg/wire/scram.hpp"

namespace proto_pg::wire {
namespace {

/// libidn's profile with another order: the server looks for prohibited characters and directions before it
/// normalises, libidn (and RFC 4013) afterwards. It matters for U+0340, Arabic ligatures and the alef symbol.
std::vector<Stringprep_profile> profile_of_server() {
  std::vector<Stringprep_profile> steps;
  const auto* end = stringprep_saslprep;
  while (end->operation != 0) ++end;
  const auto normalises = [](const auto& step) { return step.operation == STRINGPREP_NFKC; };
  std::remove_copy_if(stringprep_saslprep, end, std::back_inserter(steps), normalises);
  std::copy_if(stringprep_saslprep, end, std::back_inserter(steps), normalises);
  steps.push_back(*end);
  return steps;
}

// U+FDFA, three bytes, becomes eighteen characters of 33 bytes: no other one grows more.
constexpr std::size_t kMaxGrowth = 11;

}  // namespace

std::string sasl_prepare(std::string_view password) {
  std::string raw(password);
  // ASCII needs nothing; the server does not even look at its control characters then. libidn works with
  // zero-terminated texts: one with a zero byte inside stays as it is (and no server could have stored it).
  const bool ascii = std::ranges::all_of(raw, [](unsigned char c) { return c < 0x80; });
  if (ascii || raw.find('\0') != std::string::npos) return raw;
  static const auto profile = profile_of_server();
  std::string prepared(raw);
  prepared.resize(raw.size() * kMaxGrowth + 1);
  const int status = stringprep(prepared.data(), prepared.size(), STRINGPREP_NO_UNASSIGNED, profile.data());
  prepared.resize(prepared.find('\0'));
  // A password of nothing but characters that map to nothing counts as failed preparation.
  return status == STRINGPREP_OK && !prepared.empty() ? prepared : raw;
}

}  // namespace proto_pg::wire
