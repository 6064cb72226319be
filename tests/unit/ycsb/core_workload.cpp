#include "workloads/ycsb/core_workload.hpp"

#include <doctest/doctest.h>

#include "workloads/registry.hpp"

namespace {

namespace api = workloads::api;

std::unique_ptr<api::Workload> make(const char* name, std::map<std::string, std::string> given = {}) {
  const api::Descriptor* descriptor = workloads::find(name);
  REQUIRE(descriptor);
  return descriptor->make(api::OptionValues(descriptor->options, given));
}

std::string refusal(std::map<std::string, std::string> given) {
  try {
    make("ycsb", std::move(given));
  } catch (const api::OptionError& error) {
    return error.what();
  }
  return "";
}

using Names = std::vector<std::string>;

TEST_CASE("each letter has its kinds") {
  CHECK(make("ycsb")->kinds() == Names{"READ", "UPDATE"});
  CHECK(make("ycsb-c")->kinds() == Names{"READ"});
  CHECK(make("ycsb-d")->kinds() == Names{"READ", "INSERT"});
  CHECK(make("ycsb-e")->kinds() == Names{"INSERT", "SCAN"});
  CHECK(make("ycsb-f")->kinds() == Names{"READ", "READ-MODIFY-WRITE"});
}

TEST_CASE("the statements are those of the JDBC binding") {
  const auto all = make("ycsb", {{"insertproportion", "1"}, {"scanproportion", "1"}})->statements();
  REQUIRE(all.size() == 4);
  CHECK(all[0].sql[0] == "SELECT * FROM usertable WHERE YCSB_KEY = $1");
  CHECK(all[1].sql.size() == 10);
  CHECK(all[1].sql[0] == "UPDATE usertable SET field1=$1 WHERE YCSB_KEY = $2");
  CHECK(all[2].sql[0] ==
        "INSERT INTO usertable "
        "(YCSB_KEY,field1,field0,field7,field6,field9,field8,field3,field2,field5,field4) "
        "VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11)");
  CHECK(all[3].sql[0] ==
        "SELECT * FROM usertable WHERE YCSB_KEY >= $1 ORDER BY YCSB_KEY FETCH FIRST $2 ROWS ONLY");
  const auto whole = make("ycsb-a", {{"writeallfields", "on"}, {"fieldcount", "2"}})->statements();
  CHECK(whole[1].sql == Names{"UPDATE usertable SET field1=$1,field0=$2 WHERE YCSB_KEY = $3"});
}

TEST_CASE("read-modify-write in a transaction has its BEGIN and COMMIT") {
  const auto list = make("ycsb-f", {{"rmw-transaction", "on"}})->statements();
  REQUIRE(list.size() == 4);
  CHECK(list[2].sql[0] == "BEGIN");
  CHECK(list[3].transaction_control);
  CHECK_FALSE(make("ycsb-f", {{"rmw-transaction", "on"}})->commits_each_statement());
  CHECK(make("ycsb-f")->commits_each_statement());
}

TEST_CASE("the table is the guide's, its keys the client's part") {
  const auto table = make("ycsb-a", {{"recordcount", "1000"}, {"insertstart", "999"}})->tables().at(0);
  CHECK(table.rows == 1);
  CHECK(table.key_text(1) == "user2071219101098386137");
  CHECK(table.create.starts_with(
      "CREATE TABLE usertable (YCSB_KEY VARCHAR(255) PRIMARY KEY, field0 TEXT, field1 "));
}

TEST_CASE("more is found than the default: it is used") {
  const auto workload = make("ycsb-c");
  workload->adopt({1, 5000, 5000});
  CHECK(workload->tables()[0].rows == 5000);
  CHECK(workload->adopted().at("recordcount") == "5000");
  const auto asked = make("ycsb-c", {{"recordcount", "100"}});
  asked->adopt({1, 5000, 5000});
  CHECK(asked->tables()[0].rows == 100);
}

TEST_CASE("what can't be is refused in a sentence") {
  CHECK(refusal({{"insertstart", "1000"}}) == "--insertstart 1000 is not below --recordcount 1000");
  CHECK(refusal({{"readproportion", "0"}, {"updateproportion", "0"}}).starts_with("all proportions are 0"));
  CHECK(refusal({{"minscanlength", "2000"}}).find("--maxscanlength") != std::string::npos);
  CHECK(refusal({{"minfieldlength", "200"}}).find("--fieldlength") != std::string::npos);
  CHECK(refusal({{"hotspotdatafraction", "1.5"}}).find("from 0 to 1") != std::string::npos);
  CHECK(refusal({{"insertcount", "1001"}}).find("--insertcount 1001") != std::string::npos);
  CHECK(refusal({{"exponential-percentile", "0"}}).find("above 0") != std::string::npos);
}

}  // namespace
