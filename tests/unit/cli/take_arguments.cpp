#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "src/cli/command_line.hpp"

namespace {

/// argv as it stands after take_arguments, with what that returned checked to be as typed.
std::vector<std::string> left_in_argv(std::vector<std::string> typed) {
  typed.insert(typed.begin(), "pgload");
  std::vector<std::string> memory = typed;
  std::vector<char*> argv;
  for (std::string& argument : memory) argv.push_back(argument.data());
  const auto taken = pgload::cli::take_arguments(static_cast<int>(argv.size()), argv.data());
  CHECK(taken == std::vector<std::string>(typed.begin() + 1, typed.end()));
  return {memory.begin() + 1, memory.end()};
}

using List = std::vector<std::string>;

}  // namespace

TEST_CASE("passwords are overwritten however the connection string is given") {
  CHECK(left_in_argv({"-d", "postgresql://u:S3cret@h/d"}) == List{"-d", "postgresql://u:******@h/d"});
  CHECK(left_in_argv({"--dbname=postgresql://u:S3cret@h/d"}) == List{"--dbname=postgresql://u:******@h/d"});
  CHECK(left_in_argv({"-dpostgresql://u:S3cret@h/d"}) == List{"-dpostgresql://u:******@h/d"});
  CHECK(left_in_argv({"-wdpostgresql://u:S3cret@h/d"}) == List{"-wdpostgresql://u:******@h/d"});
  CHECK(left_in_argv({"-d", "host=h password=S3cret user=u"}) == List{"-d", "host=h password=****** user=u"});
  CHECK(left_in_argv({"--dbname=password=S3cret"}) == List{"--dbname=password=******"});
  CHECK(left_in_argv({"-dhost=h password='S3 ret'"})[0].find("S3 ret") == std::string::npos);
  CHECK(left_in_argv({"--password=S3cret"}) == List{"--password=******"});
  CHECK(left_in_argv({"-d", "postgresql://h/d?user=u&password=S3cret"})[1].find("S3cret") ==
        std::string::npos);
}

TEST_CASE("the rest stays as it is") {
  const List rest{
      "run",     "--workload", "oltp_point_select",       "-c",         "128", "-d",         "bench", "-d",
      "host=h",  "-d",         "postgresql://u@h:5432/d", "--json=a=b", "-",   "--password", "",      "-U",
      "password"};
  CHECK(left_in_argv(rest) == rest);
}
