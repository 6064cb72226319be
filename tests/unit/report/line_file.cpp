#include "src/report/line_file.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tests/support/scratch_folder.hpp"

namespace {

using pgload::report::LineFile;

std::string content(const std::filesystem::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST_CASE("lines are in the file as soon as they are appended, an older content gives way to the first") {
  const support::ScratchFolder folder;
  const std::string path = folder.path() / "run.csv";
  std::ofstream(path) << "of an older run\n";
  LineFile file(path);
  CHECK(content(path) == "of an older run\n");
  file.append("head\n1\n");
  CHECK(content(path) == "head\n1\n");
  file.append("2\n");
  CHECK(content(path) == "head\n1\n2\n");
  CHECK_FALSE(file.failure());
}

TEST_CASE("a path that cannot be written to is refused at once") {
  try {
    const LineFile file("/nonexistent/run.csv");
    FAIL("it was opened");
  } catch (const std::runtime_error& error) {
    CHECK(std::string(error.what()) == "cannot write /nonexistent/run.csv: No such file or directory");
  }
  CHECK_THROWS_AS(LineFile("/"), std::runtime_error);
  CHECK_THROWS_AS(LineFile(""), std::runtime_error);
}

TEST_CASE("a full disk is remembered, and throws nothing") {
  LineFile file("/dev/full");
  file.append("1\n");
  REQUIRE(file.failure());
  CHECK(*file.failure() == "cannot write /dev/full: No space left on device");
  file.append("2\n");
}

}  // namespace
