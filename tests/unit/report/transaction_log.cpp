#include "src/report/transaction_log.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/scratch_folder.hpp"

namespace {

using namespace pgload::report;
using namespace pgload::stats;

const SampleNames kNames{"2025-01-31T12:00:00.000000Z", {"READ", "new, order"}, {"db1:5432"}};

TransactionSample sample(std::int64_t arrival_ns) {
  return {.arrival_ns = arrival_ns,
          .dispatch_ns = arrival_ns + 1,
          .completion_ns = arrival_ns + 2,
          .session = 3,
          .retries = 4,
          .kind = 1,
          .outcome = TransactionSample::Outcome::unfinished};
}

std::string content(const std::string& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST_CASE("a line says when, what, where, who and how it ended") {
  CHECK(transaction_log_lines({sample(100)}, kNames) ==
        "2025-01-31T12:00:00.000000Z,100,101,102,\"new, order\",db1:5432,3,unfinished,4\n");
}

TEST_CASE("all samples are in the file when the log is finished") {
  const support::ScratchFolder folder;
  const std::string file = folder.path() / "log.csv";
  TransactionLog log(file);
  log.begin(kNames);
  std::string expected = transaction_log_head();
  for (int i = 0; i < 1000; ++i) {
    log.add({{sample(i)}, 0});
    expected += transaction_log_lines({sample(i)}, kNames);
  }
  CHECK(log.finish().empty());
  CHECK(content(file) == expected);
}

TEST_CASE("without samples there is the head") {
  const support::ScratchFolder folder;
  const std::string file = folder.path() / "log.csv";
  TransactionLog log(file);
  CHECK(log.finish().empty());
  CHECK(content(file) == transaction_log_head());
}

TEST_CASE("what was dropped is said, whoever dropped it") {
  const support::ScratchFolder folder;
  TransactionLog log(folder.path() / "log.csv");
  log.begin(kNames);
  log.add({{sample(1)}, 41});
  const auto sentences = log.finish();
  REQUIRE(sentences.size() == 1);
  CHECK(sentences[0] == "41 sampled transactions not in the log of transactions: it could not follow");

  TransactionLog full("/dev/full");
  full.begin(kNames);
  full.add({{sample(1)}, 0});
  const auto failures = full.finish();
  REQUIRE(failures.size() == 2);
  CHECK(failures[0] == "cannot write /dev/full: No space left on device");
  CHECK(failures[1].starts_with("1 sampled transaction not in"));
}

}  // namespace
