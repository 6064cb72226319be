#include "src/engine/recorder.hpp"

#include <doctest/doctest.h>

namespace api = workloads::api;
namespace wire = proto_pg::wire;
using namespace std::chrono_literals;
using pgload::engine::Clock;
using pgload::engine::IntervalBlock;
using pgload::engine::Recorder;
using pgload::engine::TransactionRecord;
using pgload::engine::Window;
using pgload::stats::RunResult;

namespace {

struct Fixture {
  Fixture() {
    catalog.specs.resize(2);
    catalog.specs[0].name = "point_select";
    catalog.specs[1].name = "COMMIT";
    catalog.specs[1].transaction_control = true;
    recorder.set_window(Window{start, start + 3s});
  }

  void transact(Clock::duration arrival, Clock::duration latency, bool good = true) {
    TransactionRecord record;
    record.arrival = record.dispatch = start + arrival;
    record.completion = start + arrival + latency;
    record.good = good;
    recorder.record(record);
  }

  RunResult total() {
    RunResult result;
    result.kinds.resize(1);
    result.statements.resize(2);
    for (auto& statement : result.statements) statement.latency.emplace();
    result.hosts.resize(1);
    const std::vector<std::string> hosts{"db1:5432"};
    recorder.add_to(result, catalog, hosts);
    return result;
  }

  api::StatementCatalog catalog;
  pgload::engine::Admission admission;
  Recorder recorder{1, 2, 1, admission};
  Clock::time_point start = Clock::now() + 1h;
};

api::StatementSample sample(api::StatementId statement, wire::Outcome::Status status,
                            Clock::duration latency) {
  api::StatementSample made;
  made.statement = statement;
  made.timed = true;
  made.latency = latency;
  made.outcome.status = status;
  made.outcome.rows = 1;
  return made;
}

}  // namespace

TEST_CASE_FIXTURE(Fixture, "a transaction belongs to the phase in which it arrived") {
  transact(-500ms, 100ms);  // warm-up only
  transact(-100ms, 300ms);  // arrived in the warm-up, ended in the window: throughput only
  transact(100ms, 200ms);
  transact(2900ms, 500ms);  // ended in the drain
  const RunResult result = total();
  CHECK(result.transactions.completed == 2);
  CHECK(result.transactions.completed_in_drain == 1);
  CHECK(result.kinds[0].service.count() == 2);
  recorder.close_block();
  std::uint64_t completed = 0;
  for (const auto& block : recorder.take_finished()) {
    if (block->second < 0) continue;
    completed += block->completed;
  }
  CHECK(result.transactions.completed_from_warmup == 1);
  CHECK(completed == 3);
}

TEST_CASE_FIXTURE(Fixture, "good and failed are apart, unfinished counts as at least this old") {
  transact(0ms, 10ms);
  transact(0ms, 20ms, false);
  TransactionRecord hanging;
  hanging.arrival = hanging.dispatch = start;
  hanging.completion = start + 5s;
  recorder.record_unfinished(hanging);
  const RunResult result = total();
  CHECK(result.transactions.started == 3);
  CHECK(result.transactions.completed == 1);
  CHECK(result.transactions.failed == 1);
  CHECK(result.transactions.unfinished == 1);
  CHECK(result.kinds[0].failed_service.count() == 1);
  CHECK(result.kinds[0].service.count() == 2);
  CHECK(result.kinds[0].service.at_least_count() == 1);
  CHECK(*result.kinds[0].service.max() == 5s);
  CHECK(*result.kinds[0].service.mean_ns() == doctest::Approx(10e6));
}

TEST_CASE_FIXTURE(Fixture,
                  "statements: good, unexpected, failed and skipped; control statements count apart") {
  std::vector<api::StatementSample> samples{
      sample(0, wire::Outcome::Status::good, 1ms), sample(0, wire::Outcome::Status::good, 1ms),
      sample(0, wire::Outcome::Status::failed, 1ms), sample(1, wire::Outcome::Status::good, 2ms),
      sample(1, wire::Outcome::Status::skipped, 2ms)};
  samples[1].unexpected = true;
  recorder.record_statements(samples, catalog, start, start + 10ms);
  const RunResult result = total();
  CHECK(result.statements[0].good == 1);
  CHECK(result.statements[0].unexpected == 1);
  CHECK(result.statements[0].failed == 1);
  CHECK(result.statements[0].latency->count() == 1);
  CHECK(result.statements[1].good == 1);
  CHECK(result.statements[1].skipped == 1);
  recorder.close_block();
  const auto blocks = recorder.take_finished();
  CHECK(blocks.back()->queries == 4);
  CHECK(blocks.back()->control_queries == 1);
}

TEST_CASE_FIXTURE(
    Fixture, "errors are one row for each class, SQLSTATE, statement and host; the first message stays") {
  Recorder::ErrorNote note{};
  note.sqlstate = wire::SqlState::parse("40P01");
  note.statement = 0;
  note.arrival = note.when = start + 1s;
  note.message = "first";
  note.retried = true;
  recorder.record_error(note);
  note.when = start + 2s;
  note.message = "second";
  note.retried = false;
  recorder.record_error(note);
  note.sqlstate = wire::SqlState::parse("57014");
  recorder.record_error(note);
  note.arrival = start - 1s;
  recorder.record_error(note);
  const RunResult result = total();
  REQUIRE(result.errors.size() == 2);
  CHECK(result.errors[0].sqlstate == "40P01");
  CHECK(result.errors[0].count == 2);
  CHECK(result.errors[0].retried == 1);
  CHECK(result.errors[0].first_s == doctest::Approx(1));
  CHECK(result.errors[0].last_s == doctest::Approx(2));
  CHECK(result.errors[0].message == "first");
  CHECK(result.errors[1].count == 1);
  CHECK(recorder.warmup_errors() == 1);
}
