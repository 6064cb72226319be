#include "proto_pg/client/password_file.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace proto_pg::client;

namespace {

/// A folder of its own, gone with the test.
struct Folder {
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "password_file-XXXXXX").string();
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    path = pattern;
  }
  ~Folder() { std::filesystem::remove_all(path); }

  std::string write(mode_t mode) const {
    const auto file = path + "/pgpass";
    std::ofstream(file) << "*:*:*:*:pw\n";
    REQUIRE(::chmod(file.c_str(), mode) == 0);
    return file;
  }

  std::string path;
};

}  // namespace

TEST_CASE("the first line that fits gives the password") {
  const auto file = PasswordFile::parse(
      "# db1:5432:bench:app:comment\n"
      "db1:5432:bench:app:first\n"
      "db1:5432:bench:app:second\n"
      "db1:*:*:app:any port\r\n"
      "\n"
      "short:line\n"
      "*:*:*:root:\n"
      "*:5433:b:u:last line");
  CHECK(file.find("db1", "5432", "bench", "app") == "first");
  CHECK(file.find("db1", "5433", "bench", "app") == "any port");
  CHECK(file.find("db1", "1", "x", "root") == "");
  CHECK(file.find("z", "5433", "b", "u") == "last line");
  CHECK(file.find("db", "5432", "bench", "app") == std::nullopt);
  CHECK(file.find("db12", "5432", "bench", "app") == std::nullopt);
  CHECK(file.find("short", "line", "", "") == std::nullopt);
}

TEST_CASE("a backslash takes the next byte as it is") {
  const auto file = PasswordFile::parse(R"(\:\:1:5432:a\\b:u\*:p\:w\\:x\)"
                                        "\n"
                                        R"(\*:1:d:u:star)"
                                        "\n"
                                        R"(h:1:d:u\)");
  CHECK(file.find("::1", "5432", R"(a\b)", "u*") == R"(p:w\:x\)");
  CHECK(file.find("*", "1", "d", "u") == "star");
  CHECK(file.find("other", "1", "d", "u") == std::nullopt);
  CHECK(file.find("h", "1", "d", "u") == std::nullopt);
}

TEST_CASE("a file that others may read is passed over with a warning") {
  const Folder folder;
  std::string warning;
  const auto warn = [&](std::string_view text) { warning = text; };
  SUBCASE("private") {
    CHECK(PasswordFile::load(folder.write(0600), warn).find("h", "1", "d", "u") == "pw");
    CHECK(warning.empty());
  }
  SUBCASE("read by the group") {
    const auto path = folder.write(0640);
    CHECK(PasswordFile::load(path, warn).find("h", "1", "d", "u") == std::nullopt);
    CHECK(warning.find(path) != std::string::npos);
    CHECK(warning.find("0600") != std::string::npos);
  }
  SUBCASE("written by others") {
    CHECK(PasswordFile::load(folder.write(0602), warn).find("h", "1", "d", "u") == std::nullopt);
    CHECK(warning.find("0600") != std::string::npos);
  }
  SUBCASE("not a plain file") {
    PasswordFile::load(folder.path, warn);
    CHECK(warning.find("not a plain file") != std::string::npos);
  }
  SUBCASE("missing") {
    PasswordFile::load(folder.path + "/none", warn);
    CHECK(warning.empty());
  }
}
