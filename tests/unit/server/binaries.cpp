#include "src/server/binaries.hpp"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <fstream>
#include <string>

#include "src/server/error.hpp"

namespace fs = std::filesystem;
using pgload::server::find_bindir;
using pgload::server::ThrowawayServerError;

namespace {

struct Root {
  Root() {
    std::string name = (fs::temp_directory_path() / "unit_server-XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~Root() { fs::remove_all(path); }

  void program(const fs::path& relative) const {
    fs::create_directories((path / relative).parent_path());
    std::ofstream(path / relative) << "#!/bin/sh\n";
    fs::permissions(path / relative, fs::perms::owner_all);
  }
  void both(const fs::path& bindir) const {
    program(bindir / "initdb");
    program(bindir / "postgres");
  }

  fs::path path;
};

std::string refusal(const std::optional<fs::path>& asked, const std::string& path, const fs::path& root) {
  try {
    find_bindir(asked, path, root);
  } catch (const ThrowawayServerError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("the folder asked for wins, and must be complete") {
  const Root root;
  root.both("mine");
  root.both("path");
  root.program("half/initdb");
  CHECK(find_bindir(root.path / "mine", (root.path / "path").string(), root.path) == root.path / "mine");
  const std::string sentence = refusal(root.path / "half", (root.path / "path").string(), root.path);
  CHECK(sentence.find("--pg-bindir") != std::string::npos);
  CHECK(sentence.find((root.path / "half").string()) != std::string::npos);
}

TEST_CASE("the first complete folder of PATH is taken, before versioned folders") {
  const Root root;
  root.program("half/initdb");
  root.both("whole");
  root.both("usr/lib/postgresql/15/bin");
  const std::string path =
      "/nonexistent::" + (root.path / "half").string() + ":" + (root.path / "whole").string();
  CHECK(find_bindir(std::nullopt, path, root.path) == root.path / "whole");
}

TEST_CASE("the newest version is found by number, wherever packagers put it") {
  const Root root;
  root.both("usr/lib/postgresql/9.6/bin");
  root.both("usr/lib/postgresql/15/bin");
  root.program("usr/lib/postgresql/18/bin/initdb");
  CHECK(find_bindir(std::nullopt, "", root.path) == root.path / "usr/lib/postgresql/15/bin");
  root.both("usr/pgsql-17/bin");
  CHECK(find_bindir(std::nullopt, "", root.path) == root.path / "usr/pgsql-17/bin");
}

TEST_CASE("nothing found: one line that says how to get it") {
  const Root root;
  const std::string sentence = refusal(std::nullopt, "/nonexistent", root.path);
  CHECK(sentence.find("apt install postgresql") != std::string::npos);
  CHECK(sentence.find('\n') == std::string::npos);
}
