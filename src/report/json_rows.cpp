#include "src/report/json_fields.hpp"

namespace pgload::report {
namespace {

using stats::ErrorClass;

void kind_fields(auto& archive, auto& kind) {
  archive.text("name", kind.name);
  archive.count("count", kind.completed);
  archive.count("failed", kind.failed);
  archive.count("retries", kind.retries);
  archive.latency("latency_us", kind.service);
  archive.latency("response_latency_us", kind.response);
  archive.latency_if_any("failed_latency_us", kind.failed_service);
}

void statement_fields(auto& archive, auto& statement) {
  archive.text("name", statement.name);
  archive.text("sql", statement.sql);
  archive.flag("transaction_control", statement.transaction_control);
  archive.count("count", statement.good);
  archive.count("unexpected", statement.unexpected);
  archive.count("failed", statement.failed);
  archive.count("skipped", statement.skipped);
  archive.count("rows", statement.rows);
  archive.latency("latency_us", statement.latency);
  archive.latency_if_any("failed_latency_us", statement.failed_latency);
}

void host_fields(auto& archive, auto& host) {
  archive.text("name", host.name);
  archive.count("sessions", host.sessions);
  archive.count("count", host.completed);
  archive.count("failed", host.failed);
  archive.count("connections_lost", host.connections_lost);
  archive.count("reconnects", host.reconnects);
  archive.count("server_transactions", host.server_transactions);
  archive.latency("latency_us", host.service);
  archive.latency("response_latency_us", host.response);
}

void error_fields(auto& archive, auto& error) {
  archive.choice("class", error.error_class,
                 {{"server", ErrorClass::server},
                  {"connect", ErrorClass::connect},
                  {"lost", ErrorClass::lost},
                  {"timeout", ErrorClass::timeout},
                  {"cancelled", ErrorClass::cancelled},
                  {"protocol", ErrorClass::protocol}});
  archive.text("sqlstate", error.sqlstate);
  archive.text("statement", error.statement);
  archive.text("host", error.host);
  archive.count("count", error.count);
  archive.count("retried", error.retried);
  archive.real("first_s", error.first_s, 3);
  archive.real("last_s", error.last_s, 3);
  archive.text("message", error.message);
}

}  // namespace

template <class Archive, class Run>
void row_fields(Archive& archive, Run& run) {
  archive.list("kinds", run.kinds, [](auto& inner, auto& kind) { kind_fields(inner, kind); });
  archive.list("statements", run.statements,
               [](auto& inner, auto& statement) { statement_fields(inner, statement); });
  archive.list("hosts", run.hosts, [](auto& inner, auto& host) { host_fields(inner, host); });
  archive.list("errors", run.errors, [](auto& inner, auto& error) { error_fields(inner, error); });
}

PGLOAD_BOTH_DIRECTIONS(row_fields);

}  // namespace pgload::report
