#include "src/monitor/server_settings.hpp"

#include <doctest/doctest.h>

namespace pgload::monitor {
namespace {

TEST_CASE("settings come in the order to read them, whatever the server's") {
  const std::vector<Row> rows{{"work_mem", "4MB"},    {"fsync", "on"},       {"server_version", "15.18"},
                              {"not_asked_for", "x"}, {"jit", std::nullopt}, {"ssl"}};
  CHECK(settings_of(rows) == Settings{{"server_version", "15.18"}, {"work_mem", "4MB"}, {"fsync", "on"}});
  CHECK(settings_of({}).empty());
}

TEST_CASE("a setting that the server did not tell is empty") {
  const Settings settings{{"fsync", "off"}};
  CHECK(value_of(settings, "fsync") == "off");
  CHECK(value_of(settings, "jit") == "");
}

TEST_CASE("the query asks for what it can have of any version") {
  const std::string sql = settings_query();
  for (const char* name : {"'server_version'", "'shared_buffers'", "'synchronous_commit'", "'huge_pages'"}) {
    CAPTURE(name);
    CHECK(sql.find(name) != std::string::npos);
  }
}

}  // namespace
}  // namespace pgload::monitor
