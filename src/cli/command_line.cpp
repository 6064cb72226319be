#include "src/cli/command_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "src/cli/arguments.hpp"
#include "src/cli/config_file.hpp"
#include "src/cli/document_options.hpp"
#include "src/cli/nearest.hpp"
#include "src/cli/option_reader.hpp"
#include "src/cli/quantities.hpp"
#include "src/cli/run_options.hpp"
#include "src/cli/usage_error.hpp"
#include "src/cli/verdict_options.hpp"

namespace pgload::cli {
namespace {

using workloads::api::Descriptor;
using Command = CommandLine::Command;
namespace client = proto_pg::client;

const std::map<std::string, Command, std::less<>> kCommands{
    {"run", Command::run},       {"sweep", Command::sweep},    {"prepare", Command::prepare},
    {"warmup", Command::warmup}, {"prewarm", Command::warmup}, {"cleanup", Command::cleanup},
    {"list", Command::list},     {"report", Command::report},  {"merge", Command::merge},
    {"help", Command::help},     {"version", Command::version}};

std::vector<std::string> names_of(std::span<const Descriptor> workloads) {
  std::vector<std::string> names;
  for (const Descriptor& workload : workloads) names.push_back(workload.name);
  return names;
}

const Descriptor& workload_named(const std::string& name, std::span<const Descriptor> workloads) {
  const auto found = std::ranges::find(workloads, name, &Descriptor::name);
  if (found != workloads.end()) return *found;
  throw UsageError(fmt::format("unknown workload '{}'{} (`pgload list` names them all)", name,
                               suggestion(name, names_of(workloads))));
}

/// The general options, then those of the workload; of every workload if none is named.
std::vector<Option> all_options(const Descriptor* chosen, std::span<const Descriptor> workloads) {
  const auto general = general_options();
  std::vector<Option> options(general.begin(), general.end());
  for (const Descriptor& workload : workloads) {
    if (chosen && &workload != chosen) continue;
    for (const auto& spec : workload.options)
      if (std::ranges::find(options, spec.name, &Option::name) == options.end())
        options.push_back({spec.name, 0, "VALUE", spec.help, Option::Group::load});
  }
  return options;
}

[[noreturn]] void refuse_unknown(const std::string& name, const std::string& source,
                                 std::span<const Option> options) {
  std::vector<std::string> names;
  for (const Option& option : options)
    if (option.group != Option::Group::refused) names.push_back(option.name);
  const bool is_long = name.starts_with("--");
  // What follows may be a secret: -Dpostgresql://user:password@host.
  const std::string shown = is_long ? name.substr(0, name.find('=')) : name.substr(0, 2);
  throw UsageError(fmt::format("unknown option {}{}{} (see pgload --help)", shown,
                               source.empty() ? "" : " (" + source + ")",
                               is_long ? suggestion(shown.substr(2), names, "--") : ""));
}

void refuse_what_must_not_be_given(const Values& values, std::span<const Option> options) {
  for (const Option& option : options)
    if (option.group == Option::Group::refused && values.contains(option.name)) throw UsageError(option.help);
}

Command command_in(const Arguments& arguments) {
  const auto& words = arguments.words;
  if (words.empty()) return Command::run;
  const auto found = kCommands.find(words[0]);
  // With --password, a word is perhaps the password.
  const auto shown = [&](const std::string& word) {
    return arguments.values.contains("password") ? std::string("a word")
                                                 : "'" + proto_pg::client::redacted(word) + "'";
  };
  if (found == kCommands.end()) {
    std::vector<std::string> names;
    for (const auto& [name, command] : kCommands) names.push_back(name);
    throw UsageError(fmt::format(
        "{} is no command of pgload{}; the commands are run, sweep, prepare, warmup, cleanup, report, merge, "
        "list, help",
        shown(words[0]), suggestion(words[0], names)));
  }
  const bool takes_files = found->second == Command::report || found->second == Command::merge;
  if (!takes_files && words.size() > (found->second == Command::help ? 2U : 1U))
    throw UsageError(fmt::format("{} is one argument too many (values belong to an option: --name value)",
                                 shown(words.back())));
  return found->second;
}

/// A switch's value in a config file; that of `password` may be the password.
bool is_switched_on(const Values& config, const std::string& name, const Value& value) {
  if (name == "password") {
    try {
      return parse_switch(value.text);
    } catch (const QuantityError&) {
      throw UsageError(fmt::format(
          "--password ({}) is on or off, and asks for the password; to store one, use a password file "
          "(~/.pgpass)",
          value.source));
    }
  }
  return OptionReader(config).is_on(name);
}

/// The config file's values below those of the command line. What is switched off counts as not given.
void add_config(Values& values, const Values& config, std::span<const Option> options) {
  for (const auto& [name, value] : config) {
    const auto option = std::ranges::find(options, name, &Option::name);
    if (option == options.end()) refuse_unknown("--" + name, value.source, options);
    if (name == "config" || name == "help" || name == "version")
      throw UsageError(fmt::format("--{} cannot stand in a config file ({})", name, value.source));
    const bool is_switch = option->value.empty();
    if (is_switch && !is_switched_on(config, name, value)) continue;
    values.emplace(name, is_switch ? Value{"on", value.source} : value);
  }
  for (const Option& option : options)
    if (const auto given = values.find(option.name); option.value.empty() && given != values.end())
      if (given->second.text == "off") values.erase(given);
}

/// Each step is a run with one number in the place of the list.
void read_sweep(Values values, CommandLine& line) {
  const bool many_rates = values.contains("rate");
  const bool many_sessions =
      values.contains("sessions") && values.at("sessions").text.find_first_of(",.") != std::string::npos;
  if (many_rates == many_sessions)
    throw UsageError("a sweep climbs one list: --sessions 1,2,4..1024 or --rate 1000..50000x1.5");
  line.sweep.offered = many_rates ? "rate" : "sessions";
  const OptionReader reader(values);
  std::vector<double> numbers = reader.steps(line.sweep.offered);
  if (many_sessions) {  // 1..8x1.2 begins with 1, 1.2, 1.44
    for (double& number : numbers) number = std::round(number);
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  }
  const std::string source = values.at(line.sweep.offered).source;
  values.emplace("warmup", Value{"2s", ""});
  for (const double number : numbers) {
    SweepStep& step = line.sweep.steps.emplace_back();
    step.label = many_rates ? fmt::format("{:.6g}", number) : fmt::format("{:.0f}", number);
    values.at(line.sweep.offered) = Value{step.label, source};
    read_run_plan(reader, step.plan, step.load);
    values.emplace("seed", Value{std::to_string(step.plan.seed), ""});
  }
  line.run = line.sweep.steps.back().plan;
  line.load = line.sweep.steps.back().load;
}

void read_connection(const OptionReader& reader, CommandLine& line) {
  line.connect.host = reader.text("host");
  line.connect.port = reader.text("port");
  line.connect.user = reader.text("username");
  line.connect.dbname = reader.text("dbname");
  line.ask_password = reader.is_on("password");
  line.never_ask = reader.is_on("no-password");
  line.scram_cache = !reader.is_on("no-scram-cache");
  line.ephemeral = reader.is_on("ephemeral");
  if (const auto bindir = reader.text("pg-bindir")) line.pg_bindir = *bindir;
}

void read_prepare_plan(const OptionReader& reader, CommandLine& line) {
  line.prepare.seed = line.run.seed;
  if (reader.has("io-threads")) line.prepare.connections = line.run.io_threads;
  reader.count("load-connections", line.prepare.connections, 1, 1024);
  line.prepare.recreate = reader.is_on("recreate");
  line.prepare.resume = reader.is_on("resume");
  line.dry_run = reader.is_on("dry-run");
  using workloads::api::Dialect;
  line.dialect = reader.choice<std::optional<Dialect>>("dialect", {{"auto", std::nullopt},
                                                                   {"postgres", Dialect::postgres},
                                                                   {"yugabyte", Dialect::yugabyte},
                                                                   {"risingwave", Dialect::risingwave}});
  if (reader.has("load"))
    line.prepare.by_insert = reader.choice<bool>("load", {{"copy", false}, {"insert", true}});
  if (reader.has("index-first"))
    line.prepare.index_first = reader.choice<bool>("index-first", {{"on", true}, {"off", false}});
}

void read_report(const OptionReader& reader, CommandLine& line) {
  if (reader.has("report-interval")) line.report_interval = reader.duration("report-interval");
  if (reader.has("percentiles")) line.percentiles = reader.percentiles("percentiles");
  line.server_stats = !reader.is_on("no-server-stats");
  line.json = reader.text("json");
  if (line.json && line.json->empty()) reader.refuse("json", "a file's name is wanted, or - for stdout");
  std::vector<std::string> files;
  if (line.json) files.push_back(*line.json);
  const auto read_series = [&](const char* name, std::optional<std::string>& file) {
    file = reader.text(name);
    if (!file) return;
    if (file->empty() || *file == "-") reader.refuse(name, "a file's name is wanted");
    if (std::ranges::find(files, *file) != files.end())
      reader.refuse(name, "another option writes this file");
    files.push_back(*file);
  };
  read_series("hlog", line.hlog);
  read_series("ndjson", line.ndjson);
  read_series("csv", line.csv);
  read_series("log-transactions", line.transaction_log);
  if (line.transaction_log)
    line.run.log_share = reader.has("sampling-rate") ? reader.ratio("sampling-rate") : 1;
  if (line.transaction_log && line.run.log_share == 0)
    reader.refuse("sampling-rate", "a share above 0 is wanted, at most 1");
  if (!line.transaction_log && reader.has("sampling-rate"))
    throw UsageError("--sampling-rate goes with --log-transactions only");
  if (reader.has("format")) throw UsageError("--format goes with `pgload report` only");
}

/// Values that the workload does not take are a UsageError now, not when the server is up.
void read_workload_options(const Values& values, CommandLine& line) {
  for (const auto& spec : line.workload->options)
    if (const auto found = values.find(spec.name); found != values.end())
      line.workload_options[spec.name] = found->second.text;
  try {
    const workloads::api::OptionValues checked(line.workload->options, line.workload_options);
  } catch (const workloads::api::OptionError& error) {
    throw UsageError(error.what());
  }
}

void refuse_contradictions(const OptionReader& reader, const CommandLine& line) {
  if (line.ephemeral) {
    if (line.command != Command::run && line.command != Command::sweep)
      throw UsageError(
          "--ephemeral goes with run and sweep only: it prepares, runs and removes a server of its own");
    for (const char* name : {"host", "port", "username", "dbname", "password"})
      if (reader.has(name))
        throw UsageError(
            fmt::format("--ephemeral starts a server of its own: leave out --{}, or --ephemeral", name));
  } else if (line.pg_bindir) {
    throw UsageError("--pg-bindir goes with --ephemeral only");
  }
  if (line.ask_password && line.never_ask)
    throw UsageError("--password (-W) and --no-password (-w) contradict each other");
  if (line.prepare.recreate && line.prepare.resume)
    throw UsageError("--recreate drops what --resume would complete: give one of them");
  for (const char* name : {"recreate", "resume", "load-connections", "dry-run"})
    if (reader.is_typed(name) && (line.command == Command::run || line.command == Command::sweep))
      throw UsageError(fmt::format("--{} goes with `pgload prepare` only", name));
  for (const char* name : {"hlog", "ndjson", "csv", "log-transactions"})
    if (reader.is_typed(name) && line.command == Command::sweep)
      throw UsageError(
          fmt::format("--{} goes with one run, not with a sweep: its --json holds each step", name));
  if (line.run.min_sessions > line.run.sessions)
    throw UsageError(fmt::format("--min-sessions {} is more than --sessions {}", line.run.min_sessions,
                                 line.run.sessions));
}

}  // namespace

CommandLine parse_command_line(std::span<const std::string> arguments,
                               std::span<const Descriptor> workloads) {
  CommandLine line;
  // The workload decides which options there are: look for its name first.
  const Arguments first = take_apart(arguments, general_options());
  if (first.values.contains("help") || first.values.contains("version")) {
    line.command = first.values.contains("help") ? Command::help : Command::version;
    return line;
  }
  Values config;
  if (const auto file = first.values.find("config"); file != first.values.end())
    config = read_config(file->second.text);
  const OptionReader look(first.values.contains("workload") ? first.values : config);
  if (const auto name = look.text("workload")) line.workload = &workload_named(*name, workloads);

  const auto options = all_options(line.workload, workloads);
  Arguments taken = take_apart(arguments, options);
  refuse_what_must_not_be_given(taken.values, options);
  if (!taken.unknown.empty()) refuse_unknown(taken.unknown.front(), "", options);
  line.command = command_in(taken);
  if (line.command == Command::help) {
    if (taken.words.size() == 2 && !kCommands.contains(taken.words[1]))
      line.workload = &workload_named(taken.words[1], workloads);
    return line;
  }
  if (line.command == Command::list || line.command == Command::version) return line;
  if (line.command == Command::report || line.command == Command::merge) {
    read_document_command(taken, line);
    return line;
  }
  add_config(taken.values, config, options);
  refuse_what_must_not_be_given(taken.values, options);
  if (!line.workload)
    throw UsageError(
        "which workload? Name one with --workload (`pgload list` shows them; help: pgload --help)");

  const OptionReader reader(taken.values);
  if (line.command == Command::sweep) {
    read_sweep(taken.values, line);
  } else {
    read_run_plan(reader, line.run, line.load);
  }
  read_connection(reader, line);
  read_prepare_plan(reader, line);
  read_report(reader, line);
  read_verdict(reader, line);
  read_workload_options(taken.values, line);
  for (const Option& option : general_options())
    if (const auto text = reader.text(option.name)) line.given[option.name] = client::redacted(*text);
  line.seed_given = reader.has("seed");
  refuse_contradictions(reader, line);
  return line;
}

}  // namespace pgload::cli
