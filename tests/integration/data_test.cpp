// Prepare, find, check and cleanup against a real server.

#include "src/data/data.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "proto_pg/client/connection.hpp"
#include "proto_pg/client/scram_key_cache.hpp"
#include "proto_pg/client/tls_context.hpp"
#include "tests/support/postgres_server.hpp"
#include "workloads/registry.hpp"

namespace {

namespace api = workloads::api;
namespace client = proto_pg::client;
using namespace pgload::data;

support::PostgresServer& server() {
  static support::PostgresServer one({});
  return one;
}

/// The way to the server, as the command line would have made it.
class Way {
 public:
  explicit Way(std::string user = "postgres", std::vector<std::uint16_t> ports = {server().port()})
      : info_(info_of(std::move(user), ports)),
        tls_(info_, no_surroundings()),
        context_{info_, tls_, keys_} {}
  Target target() const { return Target{context_}; }

 private:
  static client::Surroundings no_surroundings() {
    client::Surroundings none;
    none.environment = [](std::string_view) -> std::optional<std::string> { return std::nullopt; };
    return none;
  }
  static client::ConnectInfo info_of(std::string user, const std::vector<std::uint16_t>& ports) {
    client::ConnectInfo info;
    for (const auto port : ports) {
      client::Host host;
      host.host = "127.0.0.1";
      host.port = port;
      info.hosts.push_back(host);
    }
    info.user = std::move(user);
    info.database = "postgres";
    info.sslmode = client::SslMode::disable;
    return info;
  }

  client::ConnectInfo info_;
  client::TlsContext tls_;
  client::ScramKeyCache keys_;
  client::ConnectContext context_;
};

std::unique_ptr<api::Workload> workload(const std::string& tables, const std::string& size) {
  const auto& descriptor = *workloads::find("oltp_point_select");
  return descriptor.make(api::OptionValues(descriptor.options, {{"tables", tables}, {"table-size", size}}));
}

PreparePlan small_chunks() {
  PreparePlan plan;
  plan.seed = 7;
  plan.chunk_rows = 1000;
  return plan;
}

/// The names of the steps that ended, sorted.
std::vector<std::string> prepared(const api::Workload& work, const PreparePlan& plan,
                                  const Way& way = Way()) {
  std::vector<std::string> steps;
  prepare(
      way.target(), work, plan,
      [&](const PrepareProgress& progress) {
        if (progress.finished) steps.push_back(progress.step);
      },
      [] { return false; });
  std::ranges::sort(steps);
  return steps;
}

std::string refusal_of(const api::Workload& work, const PreparePlan& plan, const Way& way = Way()) {
  try {
    prepared(work, plan, way);
  } catch (const DataError& error) {
    return error.what();
  }
  return "accepted";
}

std::string check_refusal(const api::Workload& work) {
  try {
    check(Way().target(), work);
  } catch (const DataError& error) {
    return error.what();
  }
  return "accepted";
}

using Names = std::vector<std::string>;

void drop_all() {
  for (int i = 1; i <= 4; ++i) server().sql("DROP TABLE IF EXISTS sbtest" + std::to_string(i));
}

std::string fingerprint(const std::string& table) {
  return server().sql("SELECT count(*), min(id), max(id), md5(string_agg(t::text, '' ORDER BY id)) FROM " +
                      table + " AS t");
}

}  // namespace

TEST_CASE("the steps of many tables are told in one line for each kind") {
  drop_all();
  const auto work = workload("4", "10");
  CHECK(prepared(*work, small_chunks()) == Names{"analyze of 4 tables", "index of 4 tables", "load"});
  CHECK(prepared(*work, small_chunks()) == Names{"kept 4 tables"});
  server().sql("DROP TABLE sbtest2");
  CHECK(prepared(*work, small_chunks()) ==
        Names{"analyze", "index k_2", "kept sbtest1", "kept sbtest3", "kept sbtest4", "load"});
}

TEST_CASE("tables are made, filled, indexed and analyzed; the next time they are kept") {
  drop_all();
  const auto work = workload("2", "2500");
  CHECK(prepared(*work, small_chunks()) == Names{"analyze", "index k_1", "index k_2", "load"});
  CHECK(fingerprint("sbtest1").starts_with("2500|1|2500|"));
  CHECK(fingerprint("sbtest1") != fingerprint("sbtest2"));
  CHECK(
      server().sql("SELECT min(length(c)), max(length(c)), min(length(pad)), max(length(pad)), min(k) >= 1, "
                   "max(k) <= 2500 FROM sbtest2") == "119|119|59|59|t|t");
  CHECK(server().sql("SELECT indexname FROM pg_indexes WHERE tablename = 'sbtest2' ORDER BY 1") ==
        "k_2\nsbtest2_pkey");
  CHECK(server().sql("SELECT last_value, is_called FROM sbtest1_id_seq") == "2500|t");
  CHECK(server().sql("SELECT reltuples FROM pg_class WHERE relname = 'sbtest1'") == "2500");

  CHECK(prepared(*work, small_chunks()) == Names{"kept sbtest1", "kept sbtest2"});
  CHECK(check(Way().target(), *work).empty());
}

TEST_CASE("rows depend on the seed, not on the number of connections or the size of chunks") {
  drop_all();
  auto plan = small_chunks();
  const auto work = workload("1", "2500");
  plan.connections = 1;
  prepared(*work, plan);
  const auto first = fingerprint("sbtest1");
  plan.recreate = true;
  plan.connections = 3;
  plan.chunk_rows = 77;
  prepared(*work, plan);
  CHECK(fingerprint("sbtest1") == first);
  plan.seed = 8;
  prepared(*work, plan);
  CHECK(fingerprint("sbtest1") != first);
}

TEST_CASE("half a table is refused, and filled by resume: chunks that lack rows, the index, the sequence") {
  drop_all();
  auto plan = small_chunks();
  const auto work = workload("1", "5500");
  prepared(*work, plan);
  const auto whole = fingerprint("sbtest1");
  server().sql("DELETE FROM sbtest1 WHERE id BETWEEN 1500 AND 1600 OR id > 4000");
  server().sql("UPDATE sbtest1 SET pad = 'old' WHERE id = 1 OR id = 1001");
  CHECK(refusal_of(*work, plan).starts_with("table sbtest1 exists with about 4,000 rows, 5,500 asked:\n"));
  server().sql("DROP INDEX k_1");
  server().sql("SELECT setval('sbtest1_id_seq', 9)");
  plan.resume = true;
  CHECK(prepared(*work, plan) == Names{"analyze", "index k_1", "load"});
  // A whole chunk stays as it is, one with a gap is made anew.
  CHECK(server().sql("SELECT id FROM sbtest1 WHERE pad = 'old'") == "1");
  server().sql("DELETE FROM sbtest1 WHERE id = 1");
  prepared(*work, plan);
  CHECK(fingerprint("sbtest1") == whole);
  CHECK(server().sql("SELECT last_value FROM sbtest1_id_seq") == "5500");
}

TEST_CASE("a table without its index is refused") {
  drop_all();
  const auto work = workload("1", "100");
  prepared(*work, small_chunks());
  server().sql("DROP INDEX k_1");
  CHECK(refusal_of(*work, small_chunks()).starts_with("table sbtest1 exists without its index"));
}

TEST_CASE("wider columns of an existing table are written as they are") {
  drop_all();
  server().sql("CREATE TABLE sbtest1 (pad text, c varchar, k bigint, id bigint PRIMARY KEY)");
  auto plan = small_chunks();
  plan.resume = true;
  prepared(*workload("1", "1500"), plan);
  CHECK(fingerprint("sbtest1").starts_with("1500|1|1500|"));
  CHECK(server().sql("SELECT count(*) FROM sbtest1 WHERE length(c) = 119 AND length(pad) = 59") == "1500");
}

TEST_CASE("check names what is missing") {
  drop_all();
  CHECK(check_refusal(*workload("1", "100")) == "table sbtest1 does not exist: run `pgload prepare` first");
  prepared(*workload("1", "1000"), small_chunks());
  CHECK(check_refusal(*workload("2", "1000")) == "table sbtest2 does not exist: run `pgload prepare` first");
  CHECK(check_refusal(*workload("1", "2000")) ==
        "table sbtest1 has about 1,000 rows, 2,000 asked: run `pgload prepare` first, or ask for fewer");
  const auto notes = check(Way().target(), *workload("1", "10"));
  CHECK(notes == Names{"sbtest1 has more rows than asked (at least 1,000): only the first 10 are used"});
  server().sql("ALTER TABLE sbtest1 RENAME pad TO padding");
  CHECK(check_refusal(*workload("1", "1000")) ==
        "table sbtest1 has no column pad: it is not one of this workload");
  server().sql("DROP TABLE sbtest1; CREATE TABLE sbtest1 (id text PRIMARY KEY, k int, c text, pad text)");
  CHECK(find(Way().target(), *workload("1", "1000")).tables == 0);
  CHECK(check_refusal(*workload("1", "1000")) ==
        "column id of table sbtest1 is no number: it is not one of this workload");
}

TEST_CASE("gaps are no reason to refuse") {
  drop_all();
  prepared(*workload("1", "1000"), small_chunks());
  server().sql("DELETE FROM sbtest1 WHERE id % 2 = 0");
  CHECK(check(Way().target(), *workload("1", "1000")).size() == 1);
}

TEST_CASE("without an index scan for the maximum, single keys tell how far a table reaches") {
  drop_all();
  prepared(*workload("2", "3000"), small_chunks());
  server().sql("ALTER TABLE sbtest1 DROP CONSTRAINT sbtest1_pkey");
  const auto found = find(Way().target(), *workload("1", "1"));
  CHECK(found.tables == 2);
  CHECK(found.rows_per_table == 3000);
  CHECK(check(Way().target(), *workload("1", "3000")).empty());
  CHECK(check_refusal(*workload("1", "4000")).starts_with("table sbtest1 has about 3,000 rows, 4,000 asked"));
  CHECK(check(Way().target(), *workload("1", "300")).size() == 1);
}

TEST_CASE("each table is judged by what its own planner can do") {
  drop_all();
  prepared(*workload("2", "3000"), small_chunks());
  server().sql("ALTER TABLE sbtest1 DROP CONSTRAINT sbtest1_pkey");
  server().sql("DELETE FROM sbtest2 WHERE id < 2500");  // single keys would see nothing of it
  CHECK(find(Way().target(), *workload("1", "1")).rows_per_table == 3000);
}

TEST_CASE("keys that are no row numbers count as no rows") {
  drop_all();
  for (const char* key : {"int", "numeric", "float8"}) {
    server().sql(std::string("CREATE TABLE sbtest1 (id ") + key +
                 " PRIMARY KEY, k int, c text, pad text); INSERT INTO sbtest1 VALUES (-7, 1, '', '')");
    CHECK(find(Way().target(), *workload("1", "1")).rows_per_table == 0);
    CHECK(check_refusal(*workload("1", "10")).starts_with("table sbtest1 has about 0 rows, 10 asked"));
    drop_all();
  }
}

TEST_CASE("find counts the unbroken series of tables and the rows of the smallest") {
  drop_all();
  CHECK(find(Way().target(), *workload("1", "1")).tables == 0);
  prepared(*workload("2", "2000"), small_chunks());
  server().sql("CREATE TABLE sbtest4 (id int)");
  server().sql("DELETE FROM sbtest2 WHERE id > 1200");
  const auto found = find(Way().target(), *workload("1", "1"));
  CHECK(found.tables == 2);
  CHECK(found.rows_per_table == 1200);
}

TEST_CASE("cleanup drops what is there and says so") {
  drop_all();
  prepared(*workload("2", "10"), small_chunks());
  server().sql("DROP TABLE sbtest1");
  CHECK(cleanup(Way().target(), *workload("3", "10")) == Names{"sbtest2"});
  CHECK(cleanup(Way().target(), *workload("3", "10")).empty());
}

TEST_CASE("no right to create: the hint says who may give it") {
  drop_all();
  server().sql("DROP ROLE IF EXISTS app");
  server().sql("CREATE ROLE app LOGIN");
  CHECK(refusal_of(*workload("1", "10"), small_chunks(), Way("app")) ==
        "cannot create table sbtest1: permission denied for schema public (SQLSTATE 42501)\n"
        "as its owner or a superuser: GRANT CREATE ON SCHEMA public TO app");
}

TEST_CASE("a host of the list that is down is passed over") {
  drop_all();
  const Way way("postgres", {support::free_port(), server().port()});
  prepared(*workload("1", "5000"), small_chunks(), way);
  CHECK(fingerprint("sbtest1").starts_with("5000|1|5000|"));
  const Way nowhere("postgres", {support::free_port()});
  CHECK(refusal_of(*workload("1", "10"), small_chunks(), nowhere).find("refused") != std::string::npos);
}

TEST_CASE("a load that is stopped leaves whole chunks, and resume goes on from there") {
  drop_all();
  auto plan = small_chunks();
  const auto work = workload("1", "200000");
  const Way way;
  std::uint64_t done = 0;
  CHECK_THROWS_AS(
      prepare(
          way.target(), *work, plan, [&](const PrepareProgress& progress) { done = progress.rows_done; },
          [&] { return done > 0; }),
      Interrupted);
  const auto rows = std::stoull(server().sql("SELECT count(*) FROM sbtest1"));
  CHECK(rows < 200'000);
  CHECK(rows % 1000 == 0);
  CHECK(server().sql(
            "SELECT count(*) FROM pg_stat_activity WHERE state <> 'idle' AND pid <> pg_backend_pid() AND "
            "backend_type = 'client backend'") == "0");
  plan.resume = true;
  prepared(*work, plan);
  CHECK(fingerprint("sbtest1").starts_with("200000|1|200000|"));
}

TEST_CASE("a lost connection ends a load with one message that says how to go on") {
  drop_all();
  bool cut = false;
  const auto kill_all = [&](const PrepareProgress& progress) {
    if (cut || progress.rows_done == 0) return;
    cut = true;
    server().sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'COPY sbtest1%'");
  };
  std::string text;
  try {
    const Way way;
    prepare(way.target(), *workload("1", "2000000"), small_chunks(), kill_all, [] { return false; });
  } catch (const DataError& error) {
    text = error.what();
  }
  CHECK(text.starts_with("cannot load rows "));
  CHECK(text.ends_with("\nWhat is loaded stays: go on with --resume."));
}
