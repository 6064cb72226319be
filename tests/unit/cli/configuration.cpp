#include "src/cli/configuration.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "src/cli/client_machine.hpp"

using namespace pgload::cli;

namespace {

using Words = std::vector<std::string>;

const std::vector<workloads::api::Descriptor> kWorkloads{{"first_one", "the first", "", {}, nullptr}};

NamedValues configuration_of(Words words) {
  words.insert(words.begin(), {"--workload", "first_one"});
  const CommandLine line = parse_command_line(words, kWorkloads);
  proto_pg::client::ConnectInfo info;
  info.hosts.resize(2);
  info.hosts[0].host = "db1";
  info.hosts[1].hostaddr = "10.0.0.2";
  info.hosts[1].port = 5433;
  info.user = "app";
  info.database = "bench";
  return configuration(line, info, {{"tables", "4"}});
}

std::string value(const NamedValues& list, const std::string& name) {
  const auto found = std::ranges::find(list, name, &NamedValues::value_type::first);
  return found == list.end() ? "(none)" : found->second;
}

TEST_CASE("defaults are told too, and what was given as it was given") {
  const NamedValues list = configuration_of({"-c", "20k", "-T", "1m30s", "--seed", "7"});
  CHECK(list.front() == NamedValues::value_type("workload", "first_one"));
  CHECK(value(list, "sessions") == "20k");
  CHECK(value(list, "time") == "1m30s");
  CHECK(value(list, "seed") == "7");
  CHECK(value(list, "drain") == "10s");
  CHECK(value(list, "protocol") == "prepared");
  CHECK(value(list, "max-failed") == "1%");
  CHECK(value(list, "host") == "db1,10.0.0.2");
  CHECK(value(list, "port") == "5432,5433");
  CHECK(value(list, "username") == "app");
  CHECK(value(list, "dbname") == "bench");
  CHECK(value(list, "ephemeral") == "(none)");
  CHECK(value(list, "no-server-stats") == "(none)");
  CHECK(list.back() == NamedValues::value_type("tables", "4"));
}

TEST_CASE("a random seed is told, so that the run can be repeated") {
  CHECK(value(configuration_of({}), "seed") != "(none)");
  CHECK(value(configuration_of({"--transactions", "5"}), "time") == "(none)");
}

TEST_CASE("no secret, and nothing about reports") {
  const NamedValues list = configuration_of(
      {"-d", "postgresql://app:s3cr3t@db1/bench?sslmode=require", "--json", "out.json", "--no-server-stats"});
  for (const auto& [name, text] : list) CHECK(text.find("s3cr3t") == std::string::npos);
  CHECK(value(list, "dbname") == "postgresql://app:***@db1/bench?sslmode=require");
  CHECK(value(list, "json") == "(none)");
  CHECK(value(list, "no-server-stats") == "on");
}

TEST_CASE("a throwaway server has no address to come back to") {
  const NamedValues list = configuration_of({"--ephemeral"});
  CHECK(value(list, "ephemeral") == "on");
  CHECK(value(list, "host") == "(none)");
}

TEST_CASE("the model of the CPU, where it has a name") {
  std::istringstream named("processor\t: 0\nmodel name\t: Fast CPU @ 3.00GHz\nmodel name\t: Other\n");
  CHECK(cpu_model(named) == "Fast CPU @ 3.00GHz");
  std::istringstream nameless("processor\t: 0\nmodel name\t:\nBogoMIPS\t: 50\n");
  CHECK(cpu_model(nameless) == "");
}

TEST_CASE("this machine") {
  const pgload::stats::ClientMachine machine = client_machine();
  CHECK(!machine.host_name.empty());
  CHECK(machine.kernel.starts_with("Linux "));
  CHECK(machine.cpus > 0);
  CHECK(machine.memory_bytes > (std::uint64_t{64} << 20));
  CHECK(machine.build.find(", ") != std::string::npos);
}

}  // namespace
