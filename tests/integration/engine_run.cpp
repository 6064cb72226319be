#include "tests/integration/engine_run.hpp"

#include <doctest/doctest.h>

#include "workloads/api/literal.hpp"

namespace integration {

namespace api = workloads::api;
namespace client = proto_pg::client;
namespace engine = pgload::engine;
using namespace support::backend;
using support::FakeSession;

ServerOfAnswers::ServerOfAnswers(Answer answer, Greeting greeting)
    : answer_(std::move(answer)),
      greeting_(std::move(greeting)),
      server_([this](FakeSession& session) { play(session); }) {}

void ServerOfAnswers::welcome(FakeSession& session, int) { session.send(support::backend::welcome()); }

void ServerOfAnswers::play(FakeSession& session) {
  const std::string cancel_request = int32(80877102);
  const FakeSession::Message first = session.startup_packet();
  if (first.payload.starts_with(cancel_request)) {
    ++cancels_;
    return;
  }
  const int login = logins_++;
  greeting_(session, login);
  serve(session, login);
}

void ServerOfAnswers::serve(FakeSession& session, int login) {
  std::string reply;
  std::string statement;
  char status = 'I';
  int number = 0;
  while (true) {
    const FakeSession::Message message = session.next();
    switch (message.type) {
      case 'P':
        reply += parse_complete();
        break;
      case 'B':  // the portal's empty name, then the statement's
        statement = message.payload.substr(1, message.payload.find('\0', 1) - 1);
        reply += bind_complete();
        break;
      case 'E': {
        const bool control = statement == "begin" || statement == "commit";
        reply += executed({statement, login, control ? -1 : number++, session}, status);
        break;
      }
      case 'Q':
        ++rollbacks_;
        status = 'I';
        reply += command_complete("ROLLBACK");
        [[fallthrough]];
      case 'S':
        reply += ready(status);
        session.send(reply);
        reply.clear();
        break;
      default:
        return;
    }
  }
}

std::string ServerOfAnswers::executed(const Execution& execution, char& status) {
  if (execution.statement == "begin") status = 'T';
  if (execution.statement == "commit") status = 'I';
  if (execution.number < 0) return command_complete(execution.statement == "begin" ? "BEGIN" : "COMMIT");
  std::string answer = answer_(execution);
  if (answer.starts_with('E') && status == 'T') status = 'E';
  return answer;
}

std::vector<api::StatementSpec> Reading::statements() const {
  api::StatementSpec read;
  read.name = "read";
  read.sql = {"SELECT c FROM t WHERE id=$1"};
  read.rows = {1, 1};
  return {read};
}

api::KindId Reading::append(api::Session& session) const {
  session.add(0, 0, std::int64_t{7});
  return 0;
}

std::vector<api::StatementSpec> Booking::statements() const {
  auto list = Reading::statements();
  for (const char* name : {"begin", "commit"}) {
    api::StatementSpec& control = list.emplace_back();
    control.name = name;
    control.sql = {name};
    control.transaction_control = true;
  }
  return list;
}

boost::asio::awaitable<api::KindId> Booking::transaction(api::Session& session) const {
  constexpr api::StatementId kRead = 0, kBegin = 1, kCommit = 2;
  const std::int64_t key = 7;
  const api::Outcome begun = co_await session.execute(kBegin, 0);
  if (!begun.good()) co_return 0;
  const api::Outcome read = co_await session.execute(kRead, 0, key);
  if (!read.good() || read.rows != 1) co_return 0;
  co_await session.execute(kCommit, 0);
  co_return 0;
}

namespace {

api::StatementCatalog catalog_of(const api::Workload& workload) {
  api::StatementCatalog catalog;
  catalog.specs = workload.statements();
  for (const api::StatementSpec& spec : catalog.specs) {
    api::PreparedStatement& statement = catalog.variants.emplace_back().emplace_back();
    statement.name = spec.name;
    statement.sql = spec.sql.front();
    statement.types.resize(api::cut_at_parameters(statement), proto_pg::wire::oid::kInt8);
  }
  return catalog;
}

}  // namespace

EngineRun::EngineRun(std::vector<std::uint16_t> ports) {
  for (const std::uint16_t port : ports) {
    client::Host& host = info.hosts.emplace_back();
    host.host = "127.0.0.1";
    host.port = port;
  }
  info.user = "u";
  info.database = "d";
  info.sslmode = client::SslMode::disable;
  plan.transactions = 10;
}

pgload::stats::RunResult EngineRun::operator()(const api::Workload& workload) {
  const client::Surroundings surroundings;
  const client::TlsContext tls(info, surroundings);
  client::ScramKeyCache keys;
  const client::ConnectContext connect{info, tls, keys};
  const api::StatementCatalog catalog = catalog_of(workload);
  const engine::RunInput input{plan, workload, catalog, connect, engine::resolve_hosts(info)};
  pgload::stats::RunResult result = engine::run(input, observer);
  CHECK(result.check() == std::vector<std::string>{});
  return result;
}

}  // namespace integration
