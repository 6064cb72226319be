#include <doctest/doctest.h>

#include "proto_pg/client/connect_info.hpp"

using namespace proto_pg::client;

namespace {

using Values = std::map<std::string, std::string>;

std::string refusal(std::string_view text) {
  try {
    parse_conninfo(text);
  } catch (const ConnectInfoError& error) {
    return error.what();
  }
  return "";
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

struct Case {
  std::string text;
  Values values;
};

}  // namespace

// Every answer below was compared with PQconninfoParse of libpq 15.

TEST_CASE("a URI is taken apart as libpq does") {
  const Case cases[] = {
      {"postgresql://", {}},
      {"postgres://", {}},
      {"postgresql:///", {}},
      {"postgresql:///mydb", {{"dbname", "mydb"}}},
      {"postgresql://localhost", {{"host", "localhost"}}},
      {"postgresql://localhost:5433/", {{"host", "localhost"}, {"port", "5433"}}},
      {"postgresql://u:secret@localhost/db",
       {{"user", "u"}, {"password", "secret"}, {"host", "localhost"}, {"dbname", "db"}}},
      {"postgresql://u@", {{"user", "u"}}},
      {"postgresql://@h", {{"host", "h"}}},
      {"postgresql://u:@h", {{"user", "u"}, {"host", "h"}}},
      {"postgresql://:pw@h", {{"password", "pw"}, {"host", "h"}}},
      {"postgresql://:5433", {{"port", "5433"}}},
      {"postgresql://[::1]:5433/db", {{"host", "::1"}, {"port", "5433"}, {"dbname", "db"}}},
      {"postgresql://[::1]:5433,127.0.0.1:5432", {{"host", "::1,127.0.0.1"}, {"port", "5433,5432"}}},
      {"postgresql://a,b:2,c/db", {{"host", "a,b,c"}, {"port", ",2,"}, {"dbname", "db"}}},
      {"postgresql://%2Fvar%2Frun%2Fpg/db", {{"host", "/var/run/pg"}, {"dbname", "db"}}},
      {"postgresql:///db?host=/tmp&port=5433", {{"dbname", "db"}, {"host", "/tmp"}, {"port", "5433"}}},
      {"postgresql://h?user=u&password=p", {{"host", "h"}, {"user", "u"}, {"password", "p"}}},
      {"postgresql://u:p@h?user=v&password=", {{"host", "h"}, {"user", "v"}, {"password", ""}}},
      {"postgresql://h/db?", {{"host", "h"}, {"dbname", "db"}}},
      {"postgresql://h?sslmode=require&", {{"host", "h"}, {"sslmode", "require"}}},
      {"postgresql://h?ssl=true", {{"host", "h"}, {"sslmode", "require"}}},
      {"postgresql://h?requiressl=0", {{"host", "h"}, {"sslmode", "prefer"}}},
      {"postgresql://h/a/b", {{"host", "h"}, {"dbname", "a/b"}}},
      {"postgresql://h?application_name=a%3Db%26c", {{"host", "h"}, {"application_name", "a=b&c"}}},
      {"postgresql://h?%68ost=g", {{"host", "g"}}},
  };
  for (const auto& [text, values] : cases) {
    CAPTURE(text);
    CHECK(parse_conninfo(text) == values);
  }
}

TEST_CASE("percent-encoding is undone exactly once") {
  CHECK(parse_conninfo("postgresql://u:%40%3A%2F%3F%23%25%26%3B%20@h")["password"] == "@:/?#%&; ");
  CHECK(parse_conninfo("postgresql://u:%2525@h")["password"] == "%25");
  CHECK(parse_conninfo("postgresql://u:a+b@h")["password"] == "a+b");
  CHECK(parse_conninfo("postgresql://u:%c3%A4@h")["password"] == "\xc3\xa4");
  for (const std::string text :
       {"postgresql://u:50%@h", "postgresql://%4", "postgresql://%zz", "postgresql:///%g0",
        "postgresql://h?user=%", "postgresql://%00", "postgresql://u:%00@h"}) {
    CAPTURE(text);
    CHECK(contains(refusal(text), "hexadecimal"));
  }
}

TEST_CASE("a URI that libpq refuses is refused") {
  CHECK(contains(refusal("postgresql://[::1"), "closing"));
  CHECK(contains(refusal("postgresql://[]"), "empty"));
  CHECK(contains(refusal("postgresql://[::1]z"), "after the \"]\""));
  CHECK(contains(refusal("postgresql://h?user"), "no \"=\""));
  CHECK(contains(refusal("postgresql://h?&user=a"), "no \"=\""));
  CHECK(contains(refusal("postgresql://h?user=a=b"), "second \"=\""));
  CHECK(contains(refusal("postgresql://h?ssl=false"), "\"ssl\""));
  CHECK(contains(refusal("postgresql://h?ssl_mode=require"), "is sslmode meant"));
}

TEST_CASE("keyword=value pairs are taken apart as libpq does") {
  const Case cases[] = {
      {"", {}},
      {"  ", {}},
      {"host=a port = 5433\tuser= \n u", {{"host", "a"}, {"port", "5433"}, {"user", "u"}}},
      {"password='a b'", {{"password", "a b"}}},
      {R"(password='it\'s \\ fine')", {{"password", R"(it's \ fine)"}}},
      {R"(password=it\'s\ fine)", {{"password", "it's fine"}}},
      {R"(password=a\)", {{"password", "a"}}},
      {"password=@:/?#%&;", {{"password", "@:/?#%&;"}}},
      {"password=%41", {{"password", "%41"}}},
      {"password=''", {{"password", ""}}},
      {"password=", {{"password", ""}}},
      {"password= user=u", {{"password", "user=u"}}},
      {"user='u'host=h", {{"user", "u"}, {"host", "h"}}},
      {"user=u'v", {{"user", "u'v"}}},
      {"user=a user=b", {{"user", "b"}}},
      {"options='-c geqo=off'", {{"options", "-c geqo=off"}}},
      {"requiressl=1", {{"sslmode", "require"}}},
      {"dbname=postgresql://h", {{"dbname", "postgresql://h"}}},
  };
  for (const auto& [text, values] : cases) {
    CAPTURE(text);
    CHECK(parse_conninfo(text) == values);
  }
}

TEST_CASE("pairs that libpq refuses are refused") {
  CHECK(contains(refusal("user"), "without \"=\" (at character 1)"));
  CHECK(contains(refusal("user u"), "without \"=\""));
  CHECK(contains(refusal("host=a user"), "(at character 8)"));
  CHECK(contains(refusal("user='u"), "value of \"user\" is not closed"));
  CHECK(contains(refusal("=u"), "unknown"));
  CHECK(contains(refusal("hosst=a"), "\"hosst\": is host meant?"));
  CHECK(contains(refusal("ssl=true"), "\"ssl\""));
  CHECK(contains(refusal("Host=a"), "is host meant?"));
  CHECK(refusal("wholly_unlike_anything=a") == "unknown connection parameter \"wholly_unlike_anything\"");
  CHECK(contains(refusal(std::string_view("user=a\0b", 8)), "zero byte"));
}

TEST_CASE("no refusal shows a piece of a password") {
  for (const std::string text :
       {"password=top hunter2", "password=top hunter2=x", "password=top hunter2 = x",
        "user=u password='hunter2", "postgresql://u:hunter2%@h", "postgresql://u:x@h?password=a&hunter2=c",
        "postgresql://u:x@h?password=hunter2=1", "postgresql://u:x@h?password=a&hunter2",
        "postgresql://h?password=%zhunter2", "password=a 'hunter2!=b"}) {
    CAPTURE(text);
    const auto reason = refusal(text);
    CHECK_FALSE(reason.empty());
    CHECK_FALSE(contains(reason, "hunter2"));
  }
}

TEST_CASE("a connection string is known by its scheme or an equals sign") {
  CHECK(is_conninfo("postgresql://"));
  CHECK(is_conninfo("postgres://h"));
  CHECK(is_conninfo("dbname=x"));
  CHECK_FALSE(is_conninfo("bench"));
  CHECK_FALSE(is_conninfo(""));
  CHECK_FALSE(is_conninfo("POSTGRESQL://h"));
}
