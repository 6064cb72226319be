#include "src/cli/options.hpp"

namespace pgload::cli {

std::span<const Option> general_options() {
  using enum Option::Group;
  static const std::vector<Option> list{
      {"workload", 0, "NAME", "what to run; `pgload list` names them, `pgload help NAME` says more", load},
      {"sessions", 'c', "N",
       "sessions, one connection each (default 1); or how many take part over time, as a profile (below)",
       load},
      {"rate", 'R', "N", "planned transactions per second, or a profile (default: closed loop)", load},
      {"arrivals", 0, "NAME", "when they are planned: poisson (default) or uniform", load},
      {"late-policy", 0, "NAME",
       "late ones wait: queue (default); or are dropped when later than TIME: skip:TIME", load},
      {"think", 0, "TIME", "pause of a session between transactions, TIME or exp:TIME (closed loop)", load},
      {"time", 'T', "TIME",
       "length of the measured run, above 0 (default 10s, or no limit with --transactions)", load},
      {"transactions", 0, "N", "end after N transactions, the total over all sessions", load},
      {"warmup", 0, "TIME", "run this long before the measured run, not counted (default 0)", load},
      {"drain", 0, "TIME",
       "what still runs at the end may finish for this long; then it is cancelled (default 10s)", load},
      {"protocol", 'M', "NAME", "prepared (default), extended or simple", load},
      {"pipeline", 0, "N",
       "send N transactions in one write; 1: the statements of one (default: each waits for the last one's "
       "reply)",
       load},
      {"io-threads", 'j', "N", "threads that serve the sessions (default: the cores, at most 4)", load},
      {"client", 0, "I/N", "the I-th of N processes that make one run; auto, or auto/N: from the environment",
       load},
      {"start-at", 0, "WHEN", "begin the load then: 2030-01-31T12:00:00Z or seconds since 1970", load},
      {"min-sessions", 0, "N", "start if at least N sessions could be opened (default: all)", load},
      {"statement-timeout", 0, "TIME",
       "a statement that takes longer counts as lost, with its session (default 60s)", load},
      {"max-retries", 0, "N", "tries again of a transaction after 40001 or 40P01 (default 10; 0: none)",
       load},
      {"max-failed", 0, "SHARE", "more failed transactions than that: exit code 2 (default 1%)", load},
      {"seed", 0, "N", "of all random draws (default: random; always printed)", load},

      {"ephemeral", 0, "", "start a private throwaway PostgreSQL, prepare, run, and remove it", data},
      {"pg-bindir", 0, "DIR", "its programs (default: PATH, then the newest version installed)", data},
      {"load-connections", 0, "N", "prepare: connections that load (default: --io-threads if given, else 4)",
       data},
      {"dialect", 0, "NAME",
       "auto (default: ask the server), postgres, yugabyte or risingwave: how tables are made and filled, "
       "and "
       "which statements are sent",
       data},
      {"load", 0, "HOW", "prepare: copy (default) or insert (default for risingwave)", data},
      {"index-first", 0, "HOW", "prepare: indexes before the rows: on (default for yugabyte) or off", data},
      {"recreate", 0, "", "prepare: drop tables that exist", data},
      {"resume", 0, "", "prepare: fill what is missing", data},
      {"dry-run", 0, "", "prepare: print every statement, and send none", data},

      {"host", 'h', "HOST", "server, a list with commas, or the socket's directory", connection},
      {"port", 'p', "PORT", "one port, or one for each host", connection},
      {"username", 'U', "NAME", "user", connection},
      {"dbname", 'd', "NAME", "database, postgresql:// URI or 'keyword=value ...'", connection},
      {"no-password", 'w', "", "never ask for a password", connection},
      {"password", 'W', "", "ask for the password (or use PGPASSWORD, ~/.pgpass)", connection},
      {"no-scram-cache", 0, "", "derive the SCRAM keys anew for each connection", connection},

      {"report-interval", 'P', "TIME",
       "a progress line that often, in whole seconds (default 1s on a terminal, else 10s; 0: none)", report},
      {"no-server-stats", 0, "",
       "leave the server's statistics alone: no connection of pgload's own beside the sessions", report},
      {"percentiles", 0, "LIST", "of the report, 0 to 100 (default 50,95,99,99.9)", report},
      {"strict", 0, "", "exit code 4 if the numbers are not valid by verdict", report},
      {"verdict-limits", 0, "LIST",
       "when they are not; the defaults, of which any may be named: client-share=5%, lag=0.5ms, "
       "lag-share=5%, "
       "busy=90%, busy-seconds=5%, rate=99%, samples=10",
       report},
      {"receive-stamps", 0, "N",
       "measure the client's own error at one reply in N (default 16; 0: by loop delay)", report},
      {"json", 0, "FILE", "write everything as JSON; - is stdout, and the report goes to stderr", report},
      {"hlog", 0, "FILE", "write an HdrHistogram log as the run goes", report},
      {"ndjson", 0, "FILE", "write each interval as a line of JSON as the run goes", report},
      {"csv", 0, "FILE", "write each interval as a line of CSV as the run goes", report},
      {"log-transactions", 0, "FILE", "write a line for each transaction, or for a sample of them", report},
      {"sampling-rate", 0, "SHARE", "of --log-transactions, above 0 (default 1)", report},
      {"format", 0, "NAME", "`pgload report`: text (default), json, hlog, ndjson or csv", report},

      {"config", 0, "FILE", "lines `name = value` for any option; the command line wins", other},
      {"help", '?', "", "this text", other},
      {"version", 'V', "", "the version", other},

      {"t", 't', "N",
       "-t counts per client in pgbench; here the total over all sessions is --transactions N, and a time "
       "limit -T",
       refused},
      {"threads", 0, "N",
       "--threads: do you mean --sessions (connections) or --io-threads (CPU threads of pgload)?", refused},
      {"clients", 0, "N",
       "--clients: do you mean --sessions (connections) or --io-threads (CPU threads of pgload)?", refused},
  };
  return list;
}

}  // namespace pgload::cli
