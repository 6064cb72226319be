#include "src/cli/config_file.hpp"

#include <doctest/doctest.h>

#include <sstream>

#include "src/cli/usage_error.hpp"

using pgload::cli::parse_config;
using pgload::cli::read_config;
using pgload::cli::UsageError;

namespace {
pgload::cli::Values parse(const std::string& text) {
  std::istringstream stream(text);
  return parse_config(stream, "x.conf");
}
}  // namespace

TEST_CASE("names, values, comments") {
  const auto values = parse(
      "# a comment\n"
      "; another\n"
      "\n"
      "sessions=5\r\n"
      "  table_size  =  20k   # rows\n"
      "dbname = host=a dbname=b#c\n"
      "quoted = \"with # and  spaces \" # end\n"
      "single='x'\n"
      "--dashes = 1\n"
      "ephemeral\n"
      "empty =\n"
      "time = 1\n"
      "time = 2");
  CHECK(values.size() == 9);
  CHECK(values.at("sessions").text == "5");
  CHECK(values.at("sessions").source == "x.conf line 4");
  CHECK(values.at("table-size").text == "20k");
  CHECK(values.at("dbname").text == "host=a dbname=b#c");
  CHECK(values.at("quoted").text == "with # and  spaces ");
  CHECK(values.at("single").text == "x");
  CHECK(values.at("dashes").text == "1");
  CHECK(values.at("ephemeral").text == "on");
  CHECK(values.at("empty").text.empty());
  CHECK(values.at("time").text == "2");
}

TEST_CASE("a line that is none is named by its number") {
  for (const char* text :
       {"sessions=5\n[section]\n", "\n= 5\n", "\nsessions 5\n", "\nx = \"open\n", "\nx = \"a\" b\n"}) {
    CAPTURE(text);
    CHECK_THROWS_WITH_AS(parse(text), doctest::Contains("x.conf line 2"), UsageError);
  }
}

TEST_CASE("a file that cannot be read is named; an empty one says nothing") {
  CHECK_THROWS_WITH_AS(read_config("/nonexistent/x.conf"),
                       "cannot read --config /nonexistent/x.conf: No such file or directory", UsageError);
  CHECK_THROWS_WITH_AS(read_config("/"), "cannot read --config /: Is a directory", UsageError);
  CHECK(read_config("/dev/null").empty());
}
