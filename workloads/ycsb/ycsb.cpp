// YCSB's standard mixes: rows of data over one class.

#include "workloads/ycsb/ycsb.hpp"

#include <array>

#include "workloads/ycsb/core_workload.hpp"

namespace workloads::ycsb {

namespace {

constexpr std::array<Letter, 7> kLetters{{
    {"ycsb",
     "any mix of YCSB's operations, CoreWorkload's defaults",
     {.read = 0.95, .update = 0.05},
     "uniform"},
    {"ycsb-a", "YCSB A: half reads, half updates", {.read = 0.5, .update = 0.5}, "zipfian"},
    {"ycsb-b", "YCSB B: 95 % reads, 5 % updates", {.read = 0.95, .update = 0.05}, "zipfian"},
    {"ycsb-c", "YCSB C: reads only", {.read = 1}, "zipfian"},
    {"ycsb-d", "YCSB D: 95 % reads of what is new, 5 % inserts", {.read = 0.95, .insert = 0.05}, "latest"},
    {"ycsb-e", "YCSB E: 95 % short scans, 5 % inserts", {.insert = 0.05, .scan = 0.95}, "zipfian", 100},
    {"ycsb-f",
     "YCSB F: half reads, half read-modify-writes",
     {.read = 0.5, .read_modify_write = 0.5},
     "zipfian"},
}};

std::unique_ptr<api::Workload> make(const api::OptionValues& values) {
  return std::make_unique<CoreWorkload>(values);
}

}  // namespace

std::vector<api::Descriptor> workloads() {
  std::vector<api::Descriptor> list;
  for (const Letter& letter : kLetters)
    list.push_back({.name = std::string(letter.name),
                    .summary = std::string(letter.summary),
                    .help = "Operations on the table of YCSB's JDBC binding, same keys and statements. A\n"
                            "transaction is one operation: READ, UPDATE (one column), INSERT, SCAN or\n"
                            "READ-MODIFY-WRITE (a read and an update of one key, two commits). Only keys\n"
                            "whose insert was confirmed are read; a read that finds nothing is unexpected.",
                    .options = options_of(letter),
                    .make = make});
  return list;
}

}  // namespace workloads::ycsb
