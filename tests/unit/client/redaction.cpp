#include <doctest/doctest.h>

#include "proto_pg/client/connect_info.hpp"

using namespace proto_pg::client;

TEST_CASE("a redacted connection string keeps all but its secrets") {
  CHECK(redacted("bench") == "bench");
  CHECK(redacted("") == "");
  CHECK(redacted("host=a user=u") == "host=a user=u");
  CHECK(redacted("host=a password=x user=u") == "host=a password=*** user=u");
  CHECK(redacted("password = 'a b' user=u") == "password = '***' user=u");
  CHECK(redacted(R"(password='a\'b'user=u)") == "password='***'user=u");
  CHECK(redacted("password=a sslpassword=b password=c") == "password=*** sslpassword=*** password=***");
  CHECK(redacted("password=''") == "password=''");
  CHECK(redacted("passfile=/x") == "passfile=/x");
  CHECK(redacted("postgresql://u:x@h:1,[::1]:2/d?user=v") == "postgresql://u:***@h:1,[::1]:2/d?user=v");
  CHECK(redacted("postgresql://u@h:5432/d") == "postgresql://u@h:5432/d");
  CHECK(redacted("postgresql://h:5432/d?sslmode=disable") == "postgresql://h:5432/d?sslmode=disable");
  CHECK(redacted("postgresql://u:@h") == "postgresql://u:@h");
  CHECK(redacted("postgresql://h?user=v&password=x&port=1") == "postgresql://h?user=v&password=***&port=1");
  CHECK(redacted("postgresql://h?pass%77ord=x") == "postgresql://h?pass%77ord=***");
  CHECK(redacted("postgresql://u:x@h?application_name=a@b") == "postgresql://u:***@h?application_name=a@b");
}

TEST_CASE("a question mark may stand anywhere") {
  CHECK(redacted("postgresql://u:x@[::?1]:2?password=y&user=v") ==
        "postgresql://u:***@[::?1]:2?password=***&user=v");
  CHECK(redacted("postgresql://h?password=a?b&options=c?d") == "postgresql://h?password=***&options=c?d");
}

TEST_CASE("where it is unclear how far a password reaches, all that may belong to it goes") {
  for (const std::string text :
       {"postgresql://u:x@hunter2@h/d", "postgresql://u:x/hunter2@h/d", "postgresql://u:x?hunter2@h/d",
        "postgresql://u:x/y?hunter2@h/d", "postgresql://u@v:hunter2@h", "Postgres://u:hunter2@h",
        "jdbc:postgresql://u:hunter2@h", "postgresql://h?password=a&hunter2&port=1",
        "postgresql://h?password=a&hunter2=x", "password=a hunter2", "password=a hunter2=x",
        "password=a user=u hunter2 host=h", "password='hunter2", "user='a password=hunter2",
        "stray password=hunter2", "postgresql://u:hunter2%@h"}) {
    CAPTURE(text);
    CHECK(redacted(text).find("hunter2") == std::string::npos);
  }
}

TEST_CASE("the spans of secrets are bytes of the text") {
  const std::string_view text = "password='a b' host=h sslpassword=xyz";
  const auto spans = password_spans(text);
  REQUIRE(spans.size() == 2);
  CHECK(text.substr(spans[0].first, spans[0].second - spans[0].first) == "a b");
  CHECK(text.substr(spans[1].first, spans[1].second - spans[1].first) == "xyz");
}
