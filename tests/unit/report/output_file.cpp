#include "src/report/output_file.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace {

namespace fs = std::filesystem;
using pgload::report::OutputFile;

/// An empty directory for one test case.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "pgload-output-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() { fs::remove_all(path_); }
  std::string operator/(const char* name) const { return (path_ / name).string(); }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
  }

 private:
  fs::path path_;
};

std::string content(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void put(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

unsigned mode_of(const std::string& path) {
  struct stat status{};
  REQUIRE(stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777U;
}

TEST_CASE("the file appears when it is complete, with the permissions of any new file") {
  const Folder folder;
  const std::string path = folder / "run.json";
  const mode_t mask = umask(027);
  {
    OutputFile file(path);
    CHECK_FALSE(fs::exists(path));
    CHECK(folder.entries() == 1);
    file.commit("{}\n");
  }
  umask(mask);
  CHECK(content(path) == "{}\n");
  CHECK(mode_of(path) == 0640);
  CHECK(folder.entries() == 1);
}

TEST_CASE("without a commit nothing changes and nothing is left") {
  const Folder folder;
  const std::string path = folder / "run.json";
  {
    const OutputFile file(path);
  }
  CHECK(folder.entries() == 0);
  put(path, "old");
  {
    const OutputFile file(path);
  }
  CHECK(content(path) == "old");
  CHECK(folder.entries() == 1);
}

TEST_CASE("an older file is replaced and keeps its permissions; links to it stay links") {
  const Folder folder;
  const std::string path = folder / "run.json";
  const std::string link = folder / "latest.json";
  put(path, "old");
  REQUIRE(chmod(path.c_str(), 0604) == 0);
  fs::create_symlink("run.json", link);
  OutputFile file(link);
  file.commit("new");
  CHECK(content(path) == "new");
  CHECK(mode_of(path) == 0604);
  CHECK(fs::is_symlink(link));
  CHECK(folder.entries() == 2);
}

TEST_CASE("what can't be written to is named before the run") {
  const Folder folder;
  const std::string missing = folder / "missing/run.json";
  const std::string no_folder = "cannot write " + missing + ": No such file or directory";
  CHECK_THROWS_WITH_AS(OutputFile{missing}, no_folder.c_str(), std::runtime_error);

  const std::string file = folder / "file";
  put(file, "");
  const std::string below_file = "cannot write " + file + "/run.json: Not a directory";
  CHECK_THROWS_WITH_AS(OutputFile{file + "/run.json"}, below_file.c_str(), std::runtime_error);

  const std::string is_folder = "cannot write " + (folder / "") + ": Is a directory";
  CHECK_THROWS_WITH_AS(OutputFile{folder / ""}, is_folder.c_str(), std::runtime_error);
  CHECK_THROWS_WITH_AS(OutputFile{""}, "cannot write : No such file or directory", std::runtime_error);
  CHECK(folder.entries() == 1);
}

TEST_CASE("a full disk is named at the end") {
  OutputFile file("/dev/full");
  CHECK_THROWS_WITH_AS(file.commit("text"), "cannot write /dev/full: No space left on device",
                       std::runtime_error);
}

TEST_CASE("devices and pipes are written to directly and not replaced") {
  {
    OutputFile null("/dev/null");
    null.commit("text");
  }
  CHECK(fs::is_character_file("/dev/null"));

  const Folder folder;
  const std::string pipe = folder / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  REQUIRE(reader >= 0);
  {
    OutputFile file(pipe);
    file.commit("text");
  }
  char buffer[8] = {};
  CHECK(read(reader, buffer, sizeof buffer) == 4);
  CHECK(std::string(buffer) == "text");
  close(reader);
  CHECK(fs::is_fifo(pipe));
}

}  // namespace
