#include "src/cli/database.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "src/cli/password_prompt.hpp"

namespace pgload::cli {

namespace client = proto_pg::client;

namespace {

std::unique_ptr<server::ThrowawayServer> start_throwaway(const CommandLine& line, const Signals& signals) {
  if (!line.ephemeral) return nullptr;
  fmt::print(stderr, "starting a throwaway PostgreSQL\n");
  server::ThrowawayServer::Settings settings;
  settings.bindir = line.pg_bindir;
  settings.max_connections = line.run.sessions;
  settings.stop = [&signals] { return signals.received() != 0; };
  return std::make_unique<server::ThrowawayServer>(settings);
}

client::Surroundings surroundings_of(const server::ThrowawayServer* throwaway) {
  client::Surroundings surroundings = client::Surroundings::of_this_process();
  surroundings.warn = [](std::string_view sentence) { fmt::print(stderr, "pgload: {}\n", sentence); };
  // What the environment says is meant for another server.
  if (throwaway) surroundings.environment = [](std::string_view) { return std::nullopt; };
  return surroundings;
}

client::ConnectInfo connect_info(const CommandLine& line, const server::ThrowawayServer* throwaway) {
  client::ConnectFlags flags = line.connect;
  const client::Surroundings surroundings = surroundings_of(throwaway);
  if (throwaway) {
    flags.host = "127.0.0.1";
    flags.port = std::to_string(throwaway->port());
    flags.user = throwaway->user();
    flags.password = throwaway->password();
    flags.dbname = "dbname=postgres sslmode=disable";
  }
  if (line.ask_password) {
    const client::ConnectInfo known = client::make_connect_info(flags, surroundings);
    flags.password = ask_password(known.user);
    if (!flags.password) throw PromptCancelled();
  }
  return client::make_connect_info(flags, surroundings);
}

}  // namespace

Database::Database(const CommandLine& line, const Signals& signals)
    : throwaway_(start_throwaway(line, signals)),
      info_(connect_info(line, throwaway_.get())),
      tls_(info_, surroundings_of(throwaway_.get())),
      scram_keys_(line.scram_cache),
      context_{info_, tls_, scram_keys_} {}

}  // namespace pgload::cli
