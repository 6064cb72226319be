#include "src/cli/command_line.hpp"

#include <doctest/doctest.h>
#include <stdlib.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "src/cli/usage_error.hpp"

using namespace pgload::cli;
using namespace std::chrono_literals;
using workloads::api::Descriptor;
using workloads::api::OptionSpec;
using workloads::api::Protocol;
using Command = CommandLine::Command;

namespace {

std::vector<Descriptor> two_workloads() {
  OptionSpec tables;
  tables.name = "tables";
  tables.default_value = "1";
  tables.min = 1;
  OptionSpec mix;
  mix.name = "key-mix";
  mix.type = OptionSpec::Type::text;
  mix.default_value = "even";
  mix.choices = {"even", "odd"};
  return {{"first_one", "the first", "", {tables}, nullptr},
          {"second", "the second", "", {tables, mix}, nullptr}};
}

/// The words of a command line, separated by spaces; '' is an empty one.
std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> list;
  for (std::string word; stream >> word;) list.push_back(word == "''" ? "" : word);
  return list;
}

const std::vector<Descriptor> kWorkloads = two_workloads();

CommandLine parse(const std::vector<std::string>& arguments) {
  return parse_command_line(arguments, kWorkloads);
}
CommandLine parse(const std::string& text) { return parse(words(text)); }
/// A run of the first workload.
CommandLine run(const std::string& text) { return parse("--workload first_one " + text); }

std::string refusal(const std::vector<std::string>& arguments) {
  try {
    parse(arguments);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "(accepted)";
}
std::string refusal(const std::string& text) { return refusal(words(text)); }
std::string run_refusal(const std::string& text) { return refusal("--workload first_one " + text); }

bool has(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

/// A config file that is gone at the end.
struct Config {
  explicit Config(const std::string& text) {
    const int file = ::mkstemp(path.data());
    REQUIRE(file >= 0);
    std::ofstream(path) << text;
    ::close(file);
  }
  ~Config() { ::unlink(path.c_str()); }
  std::string path = "/tmp/unit_cli-XXXXXX";
};

}  // namespace

TEST_CASE("what is not given has its default") {
  const auto line = run("");
  CHECK(line.command == Command::run);
  CHECK(line.workload == &kWorkloads[0]);
  CHECK(line.workload_options.empty());
  CHECK(line.run.sessions == 1);
  CHECK(line.run.time == 10s);
  CHECK_FALSE(line.run.transactions);
  CHECK(line.run.warmup == 0s);
  CHECK(line.run.protocol == Protocol::prepared);
  CHECK(line.run.io_threads >= 1);
  CHECK(line.run.io_threads <= 4);
  CHECK(line.percentiles == std::vector<double>{50, 95, 99, 99.9});
  CHECK_FALSE(line.report_interval);
  CHECK_FALSE(line.json);
  CHECK_FALSE(line.connect.host);
  CHECK(line.scram_cache);
  CHECK_FALSE(line.seed_given);
  CHECK(line.run.seed == line.prepare.seed);
}

TEST_CASE("a seed nobody gave differs from run to run") {
  const auto one = run(""), two = run(""), three = run("");
  CHECK_FALSE((one.run.seed == two.run.seed && two.run.seed == three.run.seed));
}

TEST_CASE("all options of a run") {
  const auto line =
      run("--sessions 128 --io-threads 2 --time 1m30s --warmup 500ms --drain 0 --statement-timeout 5 "
          "--transactions 20k "
          "--protocol extended --pipeline 16 --max-retries 0 --min-sessions 100 --max-failed 5% --seed 42 "
          "--percentiles "
          "99,50 --report-interval 2 --json - --no-scram-cache");
  CHECK(line.run.sessions == 128);
  CHECK(line.run.io_threads == 2);
  CHECK(line.run.time == 90s);
  CHECK(line.run.warmup == 500ms);
  CHECK(line.run.drain == 0s);
  CHECK(line.run.statement_timeout == 5s);
  CHECK(line.run.transactions == 20'000);
  CHECK(line.run.protocol == Protocol::extended);
  CHECK(line.run.pipeline == 16);
  CHECK(line.run.max_retries == 0);
  CHECK(line.run.min_sessions == 100);
  CHECK(line.run.max_failed_ratio == doctest::Approx(0.05));
  CHECK(line.run.seed == 42);
  CHECK(line.seed_given);
  CHECK(line.percentiles == std::vector<double>{50, 99});
  CHECK(line.report_interval == 2s);
  CHECK(line.json == "-");
  CHECK_FALSE(line.scram_cache);
}

TEST_CASE("the letters of psql and pgbench") {
  const auto line = run("-h db1,db2 -p 5433 -U app -d bench -c 8 -j3 -T 5 -P 1 -M simple -w");
  CHECK(line.connect.host == "db1,db2");
  CHECK(line.connect.port == "5433");
  CHECK(line.connect.user == "app");
  CHECK(line.connect.dbname == "bench");
  CHECK(line.never_ask);
  CHECK(line.run.sessions == 8);
  CHECK(line.run.io_threads == 3);
  CHECK(line.run.time == 5s);
  CHECK(line.report_interval == 1s);
  CHECK(line.run.protocol == Protocol::simple);
  CHECK(run("-W").ask_password);
  CHECK(run("--host db1 --port 1 --username u --dbname d").connect.user == "u");
}

TEST_CASE("values are taken as they are") {
  CHECK(run("-h [::1]").connect.host == "[::1]");
  CHECK(run("-h ''").connect.host == "");
  CHECK(run("-d=x").connect.dbname == "=x");
  CHECK(run("--dbname=host=a").connect.dbname == "host=a");
  CHECK(parse({"--workload", "first_one", "-d", "host=a dbname='b c'"}).connect.dbname ==
        "host=a dbname='b c'");
  CHECK(run("-U -x").connect.user == "-x");
  CHECK(run("--host {a,b}").connect.host == "{a,b}");
}

TEST_CASE("given twice, the last wins, whatever its spelling") {
  CHECK(run("--sessions 7 -c 3").run.sessions == 3);
  CHECK(run("-c 3 --sessions=7").run.sessions == 7);
  CHECK(parse("--workload first_one --workload second").workload == &kWorkloads[1]);
}

TEST_CASE("the forms of long options") {
  CHECK(run("--io-threads=2").run.io_threads == 2);
  CHECK(run("--io_threads=2").run.io_threads == 2);
  CHECK(run("--io_threads 2").run.io_threads == 2);
  CHECK(run("--json=my_file").json == "my_file");
}

TEST_CASE("a command may stand anywhere; run is the default") {
  CHECK(parse("run --workload second").command == Command::run);
  CHECK(parse("--workload second run").command == Command::run);
  CHECK(parse("prepare --workload second").command == Command::prepare);
  CHECK(parse("--workload second --tables 2 cleanup").command == Command::cleanup);
  CHECK(parse("list").command == Command::list);
  CHECK(parse("version").command == Command::version);
  CHECK(parse("-V").command == Command::version);
  CHECK(parse("--version --nonsense").command == Command::version);
}

TEST_CASE("help") {
  for (const char* text : {"help", "--help", "-?", "help prepare", "--sessions x --help", "run --help"}) {
    CAPTURE(text);
    const auto line = parse(text);
    CHECK(line.command == Command::help);
    CHECK(line.workload == nullptr);
  }
  CHECK(parse("help second").workload == &kWorkloads[1]);
  CHECK(has(refusal("help secund"), "did you mean second?"));
  CHECK(has(refusal("help second second"), "too many"));
}

TEST_CASE("options of the workload") {
  const auto line = parse("--tables 4 --workload second --key-mix=odd");
  CHECK(line.workload_options == std::map<std::string, std::string>{{"key-mix", "odd"}, {"tables", "4"}});
  CHECK(parse("--workload second --key_mix odd").workload_options.at("key-mix") == "odd");
  CHECK(has(run_refusal("--tables 0"), "--tables '0'"));
  CHECK(has(run_refusal("--tables x"), "--tables 'x'"));
  CHECK(has(refusal("--workload second --key-mix sweet"), "even odd"));
  CHECK(has(run_refusal("--key-mix odd"), "unknown option --key-mix"));  // the other workload's
}

TEST_CASE("preparing") {
  const auto line = parse("prepare --workload first_one --recreate --load-connections 7 --seed 9");
  CHECK(line.prepare.recreate);
  CHECK_FALSE(line.prepare.resume);
  CHECK(line.prepare.connections == 7);
  CHECK(line.prepare.seed == 9);
  CHECK(parse("prepare --workload first_one -j 3").prepare.connections == 3);
  CHECK(parse("prepare --workload first_one").prepare.connections == 4);
  CHECK(parse("prepare --workload first_one --resume").prepare.resume);
}

TEST_CASE("a throwaway server") {
  const auto line = run("--ephemeral --pg-bindir /opt/pg/bin");
  CHECK(line.ephemeral);
  CHECK(line.pg_bindir == "/opt/pg/bin");
}

TEST_CASE("--transactions without --time has no time limit") {
  CHECK_FALSE(run("--transactions 5").run.time);
  CHECK(run("--transactions 5 --time 3").run.time == 3s);
}

TEST_CASE("no progress lines is an interval of 0") { CHECK(run("-P 0").report_interval == 0s); }

TEST_CASE("values that are none name the option, the value and what is wanted") {
  CHECK(run_refusal("--time 10q") ==
        "--time '10q': a duration is wanted, such as 500ms, 1m30s, 2h or 10 (seconds)");
  CHECK(run_refusal("-T 10q") == run_refusal("--time=10q"));
  CHECK(run_refusal("--time 0") == "--time '0': a duration above 0 is wanted");
  for (const char* text : {"--time ''",
                           "--time=",
                           "--time abc",
                           "--time 1m30",
                           "--time -1s",
                           "--sessions 0",
                           "--sessions 1x",
                           "--sessions -1",
                           "--sessions 1.5",
                           "--sessions 99999999999999999999",
                           "--sessions 4294967297",
                           "--io-threads 0",
                           "--pipeline 0",
                           "--transactions 0",
                           "--percentiles 101",
                           "--percentiles x",
                           "--percentiles -1",
                           "--protocol magic",
                           "--max-failed x",
                           "--seed x",
                           "--seed -1",
                           "--report-interval -1s",
                           "--statement-timeout soon",
                           "--statement-timeout 0",
                           "--warmup x",
                           "--drain x",
                           "--min-sessions 0",
                           "--max-retries x",
                           "--json ''"}) {
    CAPTURE(text);
    const auto option = std::string(text).substr(0, std::string(text).find_first_of(" ="));
    CHECK(run_refusal(text).starts_with(option + " '"));
  }
}

TEST_CASE("unknown names are answered with the nearest one") {
  CHECK(run_refusal("--sesions 3") ==
        "unknown option --sesions; did you mean --sessions? (see pgload --help)");
  CHECK(has(run_refusal("--tabels 3"), "did you mean --tables?"));
  CHECK(run_refusal("-x") == "unknown option -x (see pgload --help)");
  CHECK(has(run_refusal("--thread 3"), "unknown option --thread"));
  CHECK(has(refusal("--workload secnd"), "unknown workload 'secnd'; did you mean second?"));
  CHECK(
      has(refusal("prepair --workload second"), "'prepair' is no command of pgload; did you mean prepare?"));
  CHECK(has(refusal("second"), "'second' is no command"));
  CHECK(has(run_refusal("run fast"), "'fast' is one argument too many"));
  CHECK(has(refusal("--sesions 3"), "did you mean --sessions?"));
}

TEST_CASE("no workload") {
  CHECK(has(refusal(""), "--workload"));
  CHECK(has(refusal("prepare"), "--workload"));
  CHECK(has(refusal("--tables 3"), "--workload"));
}

TEST_CASE("values that are missing, or given to a switch") {
  CHECK(run_refusal("--time") == "--time needs a value");
  CHECK(run_refusal("-c") == "-c needs a value");
  CHECK(has(refusal("-h"), "pgload --help"));
  CHECK(run_refusal("--ephemeral=perhaps") == "--ephemeral is a switch: it takes no value but on or off");
  CHECK(has(run_refusal("--ephemeral="), "on or off"));
  CHECK(has(run_refusal("--help=off"), "takes no value"));
}

TEST_CASE("a switch can be taken back") {
  CHECK(run("--ephemeral=yes").ephemeral);
  CHECK_FALSE(run("--ephemeral --ephemeral=off -h db1").ephemeral);
  CHECK(run("--ephemeral=off --ephemeral").ephemeral);
  CHECK(run("--no_scram_cache=off").scram_cache);
  const Config config("ephemeral\npassword = on\nno-password = off\n");
  const auto line = parse("--workload first_one --ephemeral=off --config " + config.path);
  CHECK_FALSE(line.ephemeral);
  CHECK(line.ask_password);
  CHECK_FALSE(
      parse("prepare --workload second --ephemeral=off --password=off --config " + config.path).ask_password);
}

TEST_CASE("options that mean something else in other tools") {
  CHECK(has(run_refusal("-t 100"), "--transactions"));
  CHECK(has(run_refusal("-t"), "--transactions"));
  for (const char* text : {"--threads 8", "--threads=8", "--clients 8", "--clients"}) {
    CAPTURE(text);
    CHECK(has(run_refusal(text), "do you mean --sessions (connections) or --io-threads"));
  }
}

TEST_CASE("contradictions") {
  for (const char* option : {"-h db1", "-p 1", "-U u", "-d x", "-W"}) {
    CAPTURE(option);
    CHECK(has(run_refusal("--ephemeral " + std::string(option)), "--ephemeral"));
  }
  CHECK(has(refusal("prepare --workload second --ephemeral"), "--ephemeral"));
  CHECK(has(run_refusal("--pg-bindir /x"), "--ephemeral"));
  CHECK(run_refusal("--sessions 2 --min-sessions 3") == "--min-sessions 3 is more than --sessions 2");
  CHECK(has(refusal("prepare --workload second --recreate --resume"), "--resume"));
  CHECK(has(run_refusal("--recreate"), "pgload prepare"));
  CHECK(has(run_refusal("-w -W"), "contradict"));
  CHECK(run("--pipeline 8 --protocol simple").run.pipeline == 8);  // no contradiction
}

TEST_CASE("no secret is repeated in a message") {
  for (const char* text :
       {"--password=S3cret", "--password S3cret", "-W S3cret", "--dbnam=postgresql://u:S3cret@h/d",
        "-Dpassword=S3cret", "-d host=a password=S3cret", "-d host=a postgresql://u:S3cret@h/d"}) {
    CAPTURE(text);
    const std::string sentence = run_refusal(text);
    CHECK(sentence != "(accepted)");
    CHECK_FALSE(has(sentence, "S3cret"));
  }
  const Config config("password = S3cret\n");
  const std::string sentence = run_refusal("--config " + config.path);
  CHECK(has(sentence, "line 1"));
  CHECK_FALSE(has(sentence, "S3cret"));
}

TEST_CASE("a config file says what the command line leaves open") {
  const Config config(
      "workload = second\nsessions = 5\ntime = 200ms\nkey_mix = odd\nephemeral = on\nrecreate = off\n");
  const auto line = parse("--config " + config.path + " --time 1");
  CHECK(line.workload == &kWorkloads[1]);
  CHECK(line.run.sessions == 5);
  CHECK(line.run.time == 1s);
  CHECK(line.ephemeral);
  CHECK_FALSE(line.prepare.recreate);
  CHECK(line.workload_options.at("key-mix") == "odd");
  CHECK(parse("--config " + config.path + " --workload second -c 2").run.sessions == 2);
}

TEST_CASE("one config file does for all commands") {
  const Config config("workload = second\nrecreate = on\nload-connections = 3\ntime = 5\n");
  CHECK(parse("--config " + config.path).run.time == 5s);
  CHECK(parse("prepare --config " + config.path).prepare.recreate);
  CHECK(has(refusal("run --recreate --config " + config.path), "pgload prepare"));
}

TEST_CASE("what is wrong in a config file is named with its line") {
  const std::string start = "--workload first_one --config ";
  const Config unknown("\nsesions=3\n"), junk("time = 10q\n"), threads("threads = 4\n"),
      itself("config = x\n"), no_switch("ephemeral = perhaps\n"), other("workload = secnd\n");
  CHECK(refusal(start + unknown.path) == "unknown option --sesions (" + unknown.path +
                                             " line 2); did you mean --sessions? (see pgload --help)");
  CHECK(has(refusal(start + junk.path), "--time '10q' (" + junk.path + " line 1): a duration"));
  CHECK(has(refusal(start + threads.path), "do you mean --sessions"));
  CHECK(has(refusal(start + itself.path), "--config cannot stand in a config file"));
  CHECK(has(refusal(start + no_switch.path), "--ephemeral 'perhaps'"));
  CHECK(has(refusal("--config " + other.path), "did you mean second?"));
  CHECK(has(refusal(start + "/nonexistent/pgload.conf"), "/nonexistent/pgload.conf"));
}
