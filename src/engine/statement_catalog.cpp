#include "src/engine/statement_catalog.hpp"

#include <fmt/format.h>

#include <boost/asio/co_spawn.hpp>
#include <exception>

#include "proto_pg/wire/frontend.hpp"
#include "workloads/api/literal.hpp"

namespace pgload::engine {

namespace api = workloads::api;
namespace wire = proto_pg::wire;

namespace {

void fill_catalog(const api::Workload& workload, api::StatementCatalog& catalog) {
  catalog.specs = workload.statements();
  catalog.variants.clear();
  std::size_t number = 0;
  for (const api::StatementSpec& spec : catalog.specs) {
    auto& list = catalog.variants.emplace_back();
    for (const std::string& sql : spec.sql) {
      api::PreparedStatement& statement = list.emplace_back();
      statement.name = fmt::format("pgload_{}", number++);
      statement.sql = sql;
      statement.types.resize(api::cut_at_parameters(statement), wire::oid::kUnspecified);
    }
  }
}

/// One flight for one statement: unnamed, so that nothing is left behind, not even on a pooler's connection.
asio::awaitable<void> describe(client::Connection& connection, api::PreparedStatement& statement) {
  connection.begin_batch();
  wire::SendBuffer& out = connection.out();
  wire::ReplyTracker& tracker = connection.tracker();
  tracker.begin_statement();
  tracker.expect(wire::Question::parse);
  wire::encode_parse(out, {}, statement.sql, {});
  tracker.expect(wire::Question::describe_statement);
  wire::encode_describe_statement(out, {});
  tracker.expect(wire::Question::sync);
  wire::encode_sync(out);

  client::ReplyVisitor visitor;
  visitor.object = &statement;
  visitor.parameters = [](void* object, std::size_t, wire::ParameterDescriptionView types) {
    auto& described = *static_cast<api::PreparedStatement*>(object);
    for (wire::Oid& type : described.types) type = types.next().value_or(wire::oid::kUnspecified);
  };
  const std::error_code error = co_await connection.run(visitor);
  if (error) throw SetupError(error.message());
  const wire::Outcome outcome = tracker.outcomes()[0];
  if (outcome.status != wire::Outcome::Status::failed) co_return;
  const auto code = outcome.sqlstate.text();
  throw SetupError(fmt::format("the server refuses {}: {} (SQLSTATE {})", statement.sql,
                               connection.last_error().message, std::string_view(code.data(), code.size())));
}

asio::awaitable<void> describe_all(client::Poller& poller, const client::ConnectContext& connect,
                                   std::span<const HostTarget> hosts, api::StatementCatalog& catalog) {
  client::Connection connection(poller);
  client::OpenFailure first_failure;
  for (const HostTarget& target : hosts) {
    const std::vector<client::Endpoint> endpoints = target.addresses.now();
    client::OpenFailure failure = co_await connection.open(connect, target.host, endpoints);
    if (!failure.failed()) break;
    if (!first_failure.failed()) first_failure = std::move(failure);
  }
  if (!connection.is_open()) throw SetupError(first_failure.text);
  for (std::size_t id = 0; id < catalog.specs.size(); ++id) {
    if (catalog.specs[id].sending == api::Sending::written) continue;
    for (api::PreparedStatement& statement : catalog.variants[id]) co_await describe(connection, statement);
  }
  connection.close();
}

}  // namespace

api::StatementCatalog describe_statements(const client::ConnectContext& connect,
                                          std::span<const HostTarget> hosts, const api::Workload& workload,
                                          api::Protocol protocol) {
  api::StatementCatalog catalog;
  catalog.protocol = protocol;
  fill_catalog(workload, catalog);
  asio::io_context context{1};
  client::Poller poller(context);
  std::exception_ptr failure;
  asio::co_spawn(context, describe_all(poller, connect, hosts, catalog),
                 [&](std::exception_ptr exception) { failure = exception; });
  context.run();
  if (failure) std::rethrow_exception(failure);
  return catalog;
}

}  // namespace pgload::engine
