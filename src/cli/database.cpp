#include "src/cli/database.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
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

/// Throws PromptCancelled.
client::ConnectInfo with_typed_password(const CommandLine& line, const std::string& user) {
  client::ConnectFlags flags = line.connect;
  flags.password = ask_password(user);
  if (!flags.password) throw PromptCancelled();
  client::Surroundings surroundings = surroundings_of(nullptr);
  surroundings.warn = nullptr;  // it has warned already
  return client::make_connect_info(flags, surroundings);
}

client::ConnectFlags flags_of(const CommandLine& line, const server::ThrowawayServer* throwaway) {
  client::ConnectFlags flags = line.connect;
  if (throwaway) {
    flags.host = "127.0.0.1";
    flags.port = std::to_string(throwaway->port());
    flags.user = throwaway->user();
    flags.password = throwaway->password();
    flags.dbname = "dbname=postgres sslmode=disable";
  }
  return flags;
}

client::ConnectInfo connect_info(const CommandLine& line, const server::ThrowawayServer* throwaway) {
  const client::ConnectInfo known =
      client::make_connect_info(flags_of(line, throwaway), surroundings_of(throwaway));
  return line.ask_password ? with_typed_password(line, known.user) : known;
}

/// As psql does, where somebody can be asked.
bool may_ask(const CommandLine& line, const client::ConnectInfo& info) {
  return !line.ephemeral && !line.never_ask && !line.ask_password && ::isatty(STDIN_FILENO) == 1 &&
         std::ranges::any_of(info.hosts, [](const client::Host& host) { return !host.password; });
}

}  // namespace

Database::Database(const CommandLine& line, const Signals& signals)
    : throwaway_(start_throwaway(line, signals)),
      info_(connect_info(line, throwaway_.get())),
      tls_(info_, surroundings_of(throwaway_.get())),
      scram_keys_(line.scram_cache),
      context_{info_, tls_, scram_keys_} {
  if (!may_ask(line, info_)) return;
  try {
    data::knock({context_});
  } catch (const data::PasswordMissing&) {
    info_ = with_typed_password(line, info_.user);
  }
}

}  // namespace pgload::cli
