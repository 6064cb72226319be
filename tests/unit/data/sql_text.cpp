#include "src/data/sql_text.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace pgload::data;

TEST_CASE("names are quoted where SQL needs it") {
  CHECK(quote_name("sbtest1") == "sbtest1");
  CHECK(quote_name("_x") == "_x");
  CHECK(quote_name("Upper") == "\"Upper\"");
  CHECK(quote_name("two words") == "\"two words\"");
  CHECK(quote_name("1a") == "\"1a\"");
  CHECK(quote_name("") == "\"\"");
  CHECK(quote_name("user") == "\"user\"");
  CHECK(quote_name("a\"b") == "\"a\"\"b\"");
}

TEST_CASE("text constants") {
  CHECK(quote_text("plain") == "'plain'");
  CHECK(quote_text("it's") == "'it''s'");
  CHECK(quote_text("a\\b'c") == "E'a\\\\b''c'");
}

TEST_CASE("keys of a list") {
  const std::array<std::uint64_t, 3> keys{1, 2, 9'000'000'000};
  CHECK(key_in("id", keys) == "id IN (1,2,9000000000)");
  CHECK(key_in("Id", keys) == "\"Id\" IN (1,2,9000000000)");
}

TEST_CASE("a refusal says what was tried and all that the server said of it") {
  proto_pg::wire::ServerError error;
  error.sqlstate = proto_pg::wire::SqlState::parse("42P07");
  error.message = "relation \"k_1\" already exists";
  CHECK(refusal("make index k_1", error) ==
        "cannot make index k_1: relation \"k_1\" already exists (SQLSTATE 42P07)");
  error.sqlstate = proto_pg::wire::SqlState::parse("53100");
  error.message = "could not extend file";
  error.detail = "detail";
  error.hint = "Check free disk space.";
  CHECK(refusal("load t", error) ==
        "cannot load t: could not extend file (SQLSTATE 53100); detail\nCheck free disk space.");
}
