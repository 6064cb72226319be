// Two workloads that need no data (YugabyteDB's): the smallest statement, and none at all.

#include <chrono>

#include "workloads/sysbench/oltp_workload.hpp"
#include "workloads/sysbench/sysbench.hpp"

namespace workloads::sysbench {

namespace {

class WithoutTables : public api::Workload {
 public:
  std::vector<api::TableSpec> tables() const override { return {}; }
  std::string data_summary() const override { return "no tables"; }
  std::string key_summary() const override { return "no keys"; }
};

class SelectOne final : public WithoutTables {
 public:
  explicit SelectOne(const api::OptionValues&) {}

  std::vector<std::string> kinds() const override { return {"select_one"}; }
  std::vector<api::StatementSpec> statements() const override {
    api::StatementSpec one = specification("select_one", {"select 1"}, {1, 1});
    one.sending = api::Sending::literals;
    return {one};
  }
  api::KindId append(api::Session& session) const override {
    session.add(0, 0);
    return 0;
  }
};

class IdleConnection final : public WithoutTables {
 public:
  explicit IdleConnection(const api::OptionValues&) {}

  std::vector<std::string> kinds() const override { return {"idle"}; }
  std::vector<api::StatementSpec> statements() const override { return {}; }
  boost::asio::awaitable<api::KindId> transaction(api::Session& session) const override {
    co_await session.pause(std::chrono::seconds(1));
    co_return 0;
  }
  bool in_batches() const override { return false; }
};

}  // namespace

api::Descriptor select_one() {
  return {.name = "select_one",
          .summary = "select 1 (YugabyteDB)",
          .help =
              "A transaction is `select 1` as a simple query, whatever --protocol says. It\n"
              "needs no tables.",
          .options = {},
          .make = make<SelectOne>};
}

api::Descriptor idleconnection() {
  return {.name = "idleconnection",
          .summary = "open connections that do nothing (YugabyteDB)",
          .help =
              "A transaction is one second in which the session keeps its connection and\n"
              "sends nothing. It needs no tables, and hardly any CPU time.",
          .options = {},
          .make = make<IdleConnection>};
}

}  // namespace workloads::sysbench
