#include <idn-free.h>
#include <stringprep.h>

#include <algorithm>
#include <memory>

#include "proto_pg/wire/scram.hpp"

namespace proto_pg::wire {
namespace {

struct IdnFree {
  void operator()(char* text) const { idn_free(text); }
};

}  // namespace

std::string sasl_prepare(std::string_view password) {
  std::string raw(password);
  // ASCII needs nothing; the server does not even look at its control characters then. libidn works with
  // zero-terminated texts: one with a zero byte inside stays as it is (and no message could carry it).
  const bool ascii = std::ranges::all_of(raw, [](unsigned char c) { return c < 0x80; });
  if (ascii || raw.find('\0') != std::string::npos) return raw;
  char* output = nullptr;
  const int status = stringprep_profile(raw.c_str(), &output, "SASLprep", STRINGPREP_NO_UNASSIGNED);
  const std::unique_ptr<char, IdnFree> prepared(output);
  // A password of nothing but characters that map to nothing counts as failed preparation.
  if (status != STRINGPREP_OK || *prepared == '\0') return raw;
  return prepared.get();
}

}  // namespace proto_pg::wire
