#include "proto_pg/wire/server_error.hpp"

#include <doctest/doctest.h>

#include <string>

#include "tests/unit/wire/bytes.hpp"

namespace proto_pg::wire {
namespace {

using namespace test;

TEST_CASE("the fields reports need") {
  ServerError error;
  CHECK(error.assign(bytes("SFEHLER\0VERROR\0C40P01\0Mdeadlock\0Dwho\0Hwait\0Fdeadlock.c\0\0")));
  CHECK(error.sqlstate == sqlstate::kDeadlockDetected);
  CHECK(error.severity == "ERROR");
  CHECK(error.message == "deadlock");
  CHECK(error.detail == "who");
  CHECK(error.hint == "wait");
}

TEST_CASE("V wins over S in any order, S serves where there is no V") {
  ServerError error;
  CHECK(error.assign(bytes("VFATAL\0SFATAL-translated\0\0")));
  CHECK(error.severity == "FATAL");
  CHECK(error.assign(bytes("SPANIC\0\0")));
  CHECK(error.severity == "PANIC");
}

TEST_CASE("a later error keeps nothing of an earlier one") {
  ServerError error;
  CHECK(error.assign(bytes("VERROR\0C40001\0Mm\0Dd\0Hh\0\0")));
  CHECK(error.assign(bytes("\0")));
  CHECK(error.sqlstate == SqlState::missing());
  CHECK(error.severity.empty());
  CHECK(error.message.empty());
  CHECK(error.detail.empty());
  CHECK(error.hint.empty());
}

TEST_CASE("a text of 1 MB that is not UTF-8, without SQLSTATE") {
  ServerError error;
  CHECK(error.assign(u8('M') + z(std::string(1 << 20, '\xff')) + std::string(1, '\0')));
  CHECK(error.message == std::string(ServerError::kMaxFieldBytes, '\xff'));
  CHECK(error.sqlstate == SqlState::missing());
}

TEST_CASE("a code of the wrong form counts as missing") {
  ServerError error;
  for (const std::string_view code : {"", "4000", "400011", "4000a", "40 01"}) {
    CAPTURE(code);
    CHECK(error.assign(u8('C') + z(code) + std::string(1, '\0')));
    CHECK(error.sqlstate == SqlState::missing());
  }
}

TEST_CASE("what is not a sequence of fields") {
  ServerError error;
  const auto whole = bytes("VERROR\0C40001\0\0");
  for (std::size_t cut = 0; cut < whole.size(); ++cut) CHECK_FALSE(error.assign(whole.substr(0, cut)));
  CHECK(error.assign(whole));
  CHECK_FALSE(error.assign(whole + "x"));
  CHECK_FALSE(error.assign("M"));
}

}  // namespace
}  // namespace proto_pg::wire
