#include "src/cli/help_text.hpp"

#include <doctest/doctest.h>

#include <sstream>

#include "src/cli/options.hpp"
#include "workloads/registry.hpp"

using namespace pgload::cli;

namespace {
/// Lines longer than a terminal is wide.
std::string too_wide(const std::string& text) {
  std::istringstream stream(text);
  std::string found;
  for (std::string line; std::getline(stream, line);)
    if (line.size() > 80 || line.ends_with(' ')) found += line + '\n';
  return found;
}
/// The words, with one space between them.
std::string in_one_line(const std::string& text) {
  std::istringstream stream(text);
  std::string line;
  for (std::string word; stream >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}
bool has(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }
}  // namespace

TEST_CASE("the help shows every option, and fits") {
  const std::string text = help_text();
  CHECK(too_wide(text) == "");
  for (const Option& option : general_options()) {
    CAPTURE(option.name);
    CHECK(has(text, " --" + option.name + (option.value.empty() ? "" : " ")) ==
          (option.group != Option::Group::refused));
    if (option.letter != 0 && option.group != Option::Group::refused)
      CHECK(has(text, std::string("  -") + option.letter + ", --" + option.name));
  }
  CHECK(has(text, "  -c, --sessions N            sessions, one connection each (default 1); or how\n"));
}

TEST_CASE("a line for each workload") {
  const auto all = workloads::registry();
  const std::string text = workload_list(all);
  CHECK(too_wide(text) == "");
  CHECK(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) == all.size());
  for (const auto& workload : all) CHECK(has(text, workload.name + "  "));
}

TEST_CASE("the help of a workload: what it does, its options with defaults, its statements") {
  for (const auto& workload : workloads::registry()) {
    const std::string text = workload_help(workload);
    CAPTURE(text);
    CHECK(has(text, workload.summary));
    CHECK(too_wide(text) == "");
    CHECK(has(in_one_line(text), in_one_line(workload.help)));
    for (const auto& option : workload.options) {
      CHECK(has(text, "--" + option.name));
      CHECK(has(text, "(default " + (option.default_value.empty() ? "none" : option.default_value) + ")"));
    }
  }
  const auto* point_select = workloads::find("oltp_point_select");
  REQUIRE(point_select != nullptr);
  CHECK(has(workload_help(*point_select), "SELECT c FROM sbtest1 WHERE id=$1"));
}

TEST_CASE("the version is three numbers") {
  const std::string text = version();
  CHECK(std::count(text.begin(), text.end(), '.') == 2);
  CHECK(text.find_first_not_of("0123456789.") == std::string::npos);
}
