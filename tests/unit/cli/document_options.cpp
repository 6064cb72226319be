#include "src/cli/document_options.hpp"

#include <doctest/doctest.h>

#include "src/cli/usage_error.hpp"

using namespace pgload::cli;

namespace {

CommandLine parse(const std::vector<std::string>& arguments) { return parse_command_line(arguments, {}); }

std::string refusal(const std::vector<std::string>& arguments) {
  try {
    parse(arguments);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "(accepted)";
}

}  // namespace

TEST_CASE("report takes one file, a format, perhaps other percentiles") {
  const CommandLine line = parse({"report", "run.json"});
  CHECK(line.command == CommandLine::Command::report);
  CHECK(line.files == std::vector<std::string>{"run.json"});
  CHECK(line.format == "text");
  CHECK_FALSE(line.percentiles_given);
  const CommandLine other = parse({"report", "--format=csv", "run.json", "--percentiles", "99,50"});
  CHECK(other.format == "csv");
  CHECK(other.percentiles == std::vector<double>{50, 99});
  CHECK(other.percentiles_given);
}

TEST_CASE("merge takes files, and where the whole goes") {
  const CommandLine line = parse({"merge", "a.json", "b.json", "c.json", "--json", "-"});
  CHECK(line.command == CommandLine::Command::merge);
  CHECK(line.files == std::vector<std::string>{"a.json", "b.json", "c.json"});
  CHECK(line.json == "-");
}

TEST_CASE("what does not fit is refused") {
  CHECK(refusal({"report"}).starts_with("which result?"));
  CHECK(refusal({"report", "a", "b"}).starts_with("which result?"));
  CHECK(refusal({"merge", "a"}).starts_with("which results?"));
  CHECK(refusal({"report", "a", "--format", "xml"}) ==
        "--format 'xml': one of these is wanted: text, json, hlog, ndjson, csv");
  CHECK(refusal({"report", "a", "--json", "b"}) == "--json does not go with `pgload report`");
  CHECK(refusal({"merge", "a", "b", "--sessions", "3"}) == "--sessions does not go with `pgload merge`");
  CHECK(refusal({"merge", "a", "b", "--json", ""}) == "--json '': a file's name is wanted, or - for stdout");
}
