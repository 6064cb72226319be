#include "tests/integration/client.hpp"

namespace integration {

namespace pg = proto_pg::client;

namespace {

pg::Surroundings surroundings(const Around& around, std::shared_ptr<std::vector<std::string>> warnings) {
  return {
      .environment = [environment = around.environment](std::string_view name) -> std::optional<std::string> {
        const auto found = environment.find(std::string(name));
        if (found == environment.end()) return std::nullopt;
        return found->second;
      },
      .home = around.home,
      .user_name = "os_user",
      .warn = [warnings](std::string_view sentence) { warnings->emplace_back(sentence); },
  };
}

pg::ConnectInfo parse(const std::string& text, const pg::Surroundings& around) {
  pg::ConnectFlags flags;
  flags.dbname = text;
  return pg::make_connect_info(flags, around);
}

}  // namespace

Client::Client(const std::string& conninfo, const Around& around)
    : warnings_(std::make_shared<std::vector<std::string>>()),
      info_(parse(conninfo, surroundings(around, warnings_))),
      tls_(info_, surroundings(around, warnings_)),
      connection_(loop_.poller()) {}

const pg::OpenFailure& Client::open(std::size_t host) {
  std::string reason;
  const std::vector<pg::Endpoint> endpoints = pg::resolve(info_.hosts[host], reason);
  if (endpoints.empty()) {
    failure_ = {};
    failure_.stage = pg::OpenFailure::Stage::connect;
    failure_.text = reason;
    return failure_;
  }
  const pg::ConnectContext shared = context();
  failure_ = loop_.run(connection_.open(shared, info_.hosts[host], endpoints));
  return failure_;
}

bool Client::refused_with(const char* sqlstate) const {
  return failure_.code == proto_pg::wire::Errc::refused_by_server &&
         failure_.server.sqlstate == proto_pg::wire::SqlState::parse(sqlstate);
}

pg::Connection::Result Client::query(const std::string& sql) { return loop_.run(connection_.query(sql)); }

std::string Client::value(const std::string& sql) {
  const pg::Connection::Result result = query(sql);
  if (result.error) return "error: " + result.error.message();
  if (result.server_error) return "error: " + result.server_error->message;
  if (result.rows.empty() || result.rows[0].empty()) return "";
  return result.rows[0][0].value_or("(null)");
}

std::error_code Client::run(pg::ReplyVisitor visitor) { return loop_.run(connection_.run(visitor)); }

std::string conninfo(std::uint16_t port, const std::string& user, const std::string& more) {
  return "host=127.0.0.1 port=" + std::to_string(port) + " dbname=postgres user=" + user + " " + more;
}

}  // namespace integration
