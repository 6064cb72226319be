#include "src/cli/configuration.hpp"

#include <fmt/format.h>

#include <map>

#include "src/cli/options.hpp"

namespace pgload::cli {

namespace client = proto_pg::client;

namespace {

using Texts = std::map<std::string, std::string>;

std::string text_of(std::chrono::nanoseconds duration) {
  const auto us = std::chrono::duration_cast<std::chrono::microseconds>(duration).count();
  if (us % 1'000'000 == 0) return fmt::format("{}s", us / 1'000'000);
  return us % 1000 == 0 ? fmt::format("{}ms", us / 1000) : fmt::format("{}us", us);
}

std::string text_of(workloads::api::Protocol protocol) {
  using enum workloads::api::Protocol;
  return protocol == prepared ? "prepared" : protocol == extended ? "extended" : "simple";
}

void add_connection(Texts& texts, const client::ConnectInfo& info) {
  std::string hosts;
  std::string ports;
  for (const client::Host& host : info.hosts) {
    const char* const comma = hosts.empty() && ports.empty() ? "" : ",";
    hosts += comma + (host.host.empty() ? host.hostaddr : host.host);
    ports += comma + std::to_string(host.port);
  }
  texts["host"] = hosts;
  texts["port"] = ports;
  texts["username"] = info.user;
  texts["dbname"] = info.database;
}

/// What holds if the option is not given. What has no entry is off, or has no limit.
Texts values_in_force(const CommandLine& line, const client::ConnectInfo& info) {
  const engine::RunPlan& plan = line.run;
  Texts texts;
  if (line.workload) texts["workload"] = line.workload->name;
  texts["sessions"] = std::to_string(plan.sessions);
  if (plan.time) texts["time"] = text_of(*plan.time);
  texts["warmup"] = text_of(plan.warmup);
  texts["drain"] = text_of(plan.drain);
  texts["protocol"] = text_of(plan.protocol);
  texts["pipeline"] = std::to_string(plan.pipeline);
  texts["io-threads"] = std::to_string(plan.io_threads);
  texts["statement-timeout"] = text_of(plan.statement_timeout);
  texts["max-retries"] = std::to_string(plan.max_retries);
  texts["max-failed"] = fmt::format("{:g}%", plan.max_failed_ratio * 100);
  texts["seed"] = std::to_string(plan.seed);
  if (!line.ephemeral) add_connection(texts, info);
  return texts;
}

bool about_the_run(const Option& option) {
  return option.group == Option::Group::load || option.group == Option::Group::data ||
         option.group == Option::Group::connection || option.name == "no-server-stats";
}

}  // namespace

NamedValues configuration(const CommandLine& line, const client::ConnectInfo& info,
                          const NamedValues& workload_options) {
  const Texts in_force = values_in_force(line, info);
  NamedValues list;
  for (const Option& option : general_options()) {
    if (!about_the_run(option)) continue;
    if (const auto given = line.given.find(option.name); given != line.given.end()) {
      list.emplace_back(option.name, given->second);
    } else if (const auto value = in_force.find(option.name); value != in_force.end()) {
      list.emplace_back(option.name, value->second);
    }
  }
  list.insert(list.end(), workload_options.begin(), workload_options.end());
  return list;
}

}  // namespace pgload::cli
