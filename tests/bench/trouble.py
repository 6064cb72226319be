#!/usr/bin/env python3
"""usage: trouble.py RELEASE_FOLDER [--only WORD]

What load generators do when something goes wrong: pgload, sysbench and pgbench meet the same troubles on a private
PostgreSQL (60 connections). Prints a Markdown table of what they showed; fails if pgload did not stand the test."""
import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from postgres import Postgres  # noqa: E402

ROWS = 10_000
SECRET = "s3cr3t-Pa55"
SCRIPT = f"\\set id random(1, {ROWS})\nSELECT c FROM sbtest1 WHERE id=:id;\n"
KINDS = {signal.SIGSEGV: "segmentation fault", signal.SIGABRT: "aborts", signal.SIGINT: "killed by it"}


class Ended:
    """A tool's run that is over: what it said and, of pgload, its document."""

    def __init__(self, process, output, document):
        self.code, self.output, self.document = process.returncode, output, document

    def find(self, pattern, otherwise=None):
        found = re.search(pattern, self.output)
        return float(found.group(1).replace(",", "")) if found else otherwise

    @property
    def ending(self):
        return KINDS.get(-self.code, f"signal {-self.code}") if self.code < 0 else f"rc {self.code}"

    @property
    def reported(self):
        return bool(re.search(r"transactions: +\d|tps = \d|\nthroughput ", self.output))


class Trouble:
    def __init__(self, release, server, folder):
        self.release, self.server, self.folder = Path(release), server, Path(folder)
        self.script = self.folder / "point.sql"
        self.script.write_text(SCRIPT)
        self.document = self.folder / "pgload.json"
        self.environment = {**os.environ, "PGSSLMODE": "disable", "PGHOST": "127.0.0.1", "PGUSER": "postgres",
                            "PGPORT": str(server.port), "PGDATABASE": "postgres", "LC_ALL": "C"}
        subprocess.run(self.sysbench("prepare"), env=self.environment, check=True, stdout=subprocess.DEVNULL)
        server.sql(f"create role app superuser login password '{SECRET}'")

    def pgload(self, *more, workload="oltp_point_select"):
        return [self.release / "pgload", "--workload", workload, "--tables", "1", "--sessions", "8", "--json",
                self.document, *more]

    def sysbench(self, *more, workload="oltp_point_select"):
        return ["sysbench", workload, "--db-driver=pgsql", "--pgsql-host=127.0.0.1", "--pgsql-user=postgres",
                f"--pgsql-port={self.server.port}", "--pgsql-db=postgres", "--tables=1", f"--table-size={ROWS}",
                "--threads=8", "--percentile=99", *more]

    def pgbench(self, *more):
        return ["pgbench", "-n", "-M", "prepared", "-f", self.script, "-c", "8", "-j", "2", *more]

    def run(self, command, at_s=0, do=None):
        """Runs it; after `at_s` seconds, `do(process)`."""
        self.document.unlink(missing_ok=True)
        with tempfile.TemporaryFile("w+") as output:
            process = subprocess.Popen([*map(str, command)], env=self.environment, stdout=output, stderr=subprocess.STDOUT)
            if do:
                time.sleep(at_s)
                do(process)
            process.wait(120)
            output.seek(0)
            text = output.read()
        return Ended(process, text, json.loads(self.document.read_text()) if self.document.exists() else None)

    def three(self, show, *, pgload=(), sysbench=(), pgbench=(), **how):
        """The row's cells: each tool's run as `show` tells it."""
        return [show(self.run(self.pgload(*pgload), **how)), show(self.run(self.sysbench(*sysbench, "run"), **how)),
                show(self.run(self.pgbench(*pgbench), **how))]

    @staticmethod
    def last_fatal(run):
        found = re.findall(r"FATAL: (.*)", run.output)
        return f'"{found[-1].split(".")[0]}"' if found else "no reason given"

    # --- the troubles: each returns the cells of pgload, sysbench, pgbench; what pgload owes is asserted ---

    def interrupted(self):
        "SIGINT at 4 s of a 30 s run"
        def show(run):
            if run.document:
                assert run.code == 130 and run.document["outcome"]["status"] == "stopped", run.output
                return f"full report of {run.document['duration_s']:.1f} s, rc 130"
            return f"{'report' if run.reported else 'no statistics at all'}, {run.ending}"
        return self.three(show, at_s=4, do=lambda process: process.send_signal(signal.SIGINT), pgload=["-T", "30"],
                          sysbench=["--time=30"], pgbench=["-T", "30"])

    def too_many(self):
        "100 sessions, server allows 60"
        def show(run):
            refusals = len(re.findall(r"FATAL|connection to server", run.output))
            said = f"{refusals} line{'s' * (refusals != 1)} of refusals, "
            return f"{said}{'measured' if run.reported else 'nothing measured'}, {run.ending}"
        cells = self.three(show, pgload=["-T", "2", "-c", "100"], sysbench=["--time=2", "--threads=100"],
                           pgbench=["-T", "2", "-c", "100"])
        lower = self.run(self.pgload("-T", "2", "-c", "100", "--min-sessions", "20"))
        assert lower.code == 0, lower.output
        cells[0] += f"; with `--min-sessions 20` runs on {lower.document['sessions']['open']}"
        return cells

    def restart(self, _):
        self.server.process.send_signal(signal.SIGINT)  # fast shutdown
        self.server.process.wait()
        self.server.start()

    def restarted(self):
        "server restarted (`fast`) at 3 s of 8 s"
        def show(run):
            if run.document:
                lost = sum(error["count"] for error in run.document["errors"])
                after = [one["completed"] for one in run.document["intervals"][-3:-1]]
                assert min(after) > 0 and lost >= 8, run.output
                return f"{lost} errors by class, host and time; the sessions come back, {run.ending}"
            return f"{'partial report' if run.reported else 'no report'}, {run.ending}"
        return self.three(show, at_s=3, do=self.restart, pgload=["-T", "8"], sysbench=["--time=8"], pgbench=["-T", "8"])

    def overloaded(self):
        "rate far above capacity (200,000/s)"
        def show(run):
            if run.document:
                counts = run.document["transactions"]
                assert counts["arrivals"] == counts["started"] + counts["skipped"] + counts["queued"], counts
                kinds = {verdict["kind"] for verdict in run.document["verdicts"]}
                assert "rate-not-reached" in kinds, kinds
                return (f"{counts['arrivals']:,} planned = {counts['started']:,} started + {counts['skipped']:,} skipped + "
                        f"{counts['queued']:,} queued; *rate-not-reached*")
            latency = run.find(r"latency average = ([\d.]+)")
            skipped = run.find(r"transactions skipped: \d+ \(([\d.]+)")
            if skipped is not None:
                return f"{skipped:.1f} % skipped, the rest average {latency:.0f} ms"
            if latency is not None:
                return f'average "latency" {latency:,.0f} ms'
            return f"{'report' if run.reported else 'no report'}, {run.ending}: {self.last_fatal(run)}"
        cells = self.three(show, pgload=["-T", "5", "--rate", "200000"], sysbench=["--time=5", "--rate=200000"],
                           pgbench=["-T", "5", "-R", "200000"])
        limited = self.run(self.pgload("-T", "5", "--rate", "200000", "--late-policy", "skip:50ms"))
        cells[0] += "; with `skip:50ms`: " + show(limited)
        cells[2] += "; with `-L 50`: " + show(self.run(self.pgbench("-T", "5", "-R", "200000", "-L", "50")))
        return cells

    def lock(self, _):
        self.server.sql("begin; lock table sbtest1; select pg_sleep(2); commit")

    def stalled(self):
        "table locked for 2 s of 10 s, no rate"
        def show(run):
            if run.document:
                estimate, service = run.document["closed_loop_estimate"], run.document["latency_us"]["service"]
                assert estimate["longest_silence_s"] > 1.9, estimate
                return (f"p99 {service['p99'] / 1e3:.2f} ms, and a note: nothing ended for {estimate['longest_silence_s']:.1f} s; "
                        f"at a fixed rate p99 {estimate['fixed_rate_p99_us'] / 1e3:,.0f} ms")
            p99, average = run.find(r"99th percentile: +([\d.]+)"), run.find(r"latency average = ([\d.]+)")
            return f"p99 {p99:.2f} ms" if p99 is not None else f"average {average:.2f} ms, no percentile"
        return self.three(show, at_s=4, do=self.lock, pgload=["-T", "10"], sysbench=["--time=10"], pgbench=["-T", "10"])

    def stalled_at_a_rate(self):
        "the same at 500/s (right: p99 1,900 ms)"
        def show(run):
            if run.document:
                latency = run.document["latency_us"]
                response, service = latency["response"]["p99"] / 1e3, latency["service"]["p99"] / 1e3
                assert 1850 < response < 1990, latency
                return f"p99 {response:,.0f} ms from the planned start; service p99 {service:.1f} ms beside it"
            p99, average = run.find(r"99th percentile: +([\d.]+)"), run.find(r"latency average = ([\d.]+)")
            lag = run.find(r"schedule lag: avg [\d.]+ \(max ([\d.]+)\)")
            return f"p99 {p99:,.0f} ms" if p99 is not None else f"average {average:.0f} ms, no percentile; lag max {lag or 0:,.0f} ms"
        return self.three(show, at_s=4, do=self.lock, pgload=["-T", "10", "--rate", "500", "--arrivals", "uniform"],
                          sysbench=["--time=10", "--rate=500"], pgbench=["-T", "10", "-R", "500"])

    def cancel(self, _):
        waiting = "select pid from pg_stat_activity where wait_event_type = 'Lock' and query like 'SELECT c%' limit 1"
        self.server.sql(f"begin; lock table sbtest1; select pg_sleep(0.3); select pg_cancel_backend(({waiting})); "
                        "select pg_sleep(0.1); commit")

    def cancelled(self):
        "server cancels one statement (57014)"
        def show(run):
            if run.document:
                errors = [(error["sqlstate"], error["count"]) for error in run.document["errors"]]
                assert errors == [("57014", 1)] and run.code == 0, run.output
                return f"counted: 1 failed of {run.document['transactions']['started']:,}, {run.ending}"
            left = len(re.findall(r"client \d+ (?:aborted|script)", run.output))
            said = f"{left} client gives up, partial report" if run.reported else "run aborts, no report"
            return f"{said}, {run.ending}"
        return self.three(show, at_s=1, do=self.cancel, pgload=["-T", "3"], sysbench=["--time=3"], pgbench=["-T", "3"])

    def absent(self):
        "`--table-size` 5,000,000,000 on 10,000 rows"
        pgload = self.run(self.pgload("-T", "2", "--table-size", "5000000000"))
        assert pgload.code == 1 and "prepare" in pgload.output, pgload.output
        sysbench = self.run(self.sysbench("--time=2", "--table-size=5000000000", "--rand-type=uniform", "run"))
        done = sysbench.find(r"transactions: +(\d+)", 0)
        return [f"refused before the run, {pgload.ending}", f"{done:,.0f} good transactions on rows that are not there, "
                f"{sysbench.ending}", "–"]

    def listed(self):
        "password on the command line, seen by `ps`"
        seen = {}
        def look(process):
            arguments = Path(f"/proc/{process.pid}/cmdline").read_bytes()
            seen["readable"] = SECRET.encode() in arguments
        uri = f"postgresql://app:{SECRET}@127.0.0.1:{self.server.port}/postgres"
        cells = []
        for command in (self.pgload("-T", "2", "-d", uri),
                        self.sysbench("--time=2", "--pgsql-user=app", f"--pgsql-password={SECRET}", "run"),
                        self.pgbench("-T", "2", uri)):
            self.run(command, at_s=1, do=look)
            cells.append("readable" if seen["readable"] else "wiped")
        assert cells[0] == "wiped"
        return cells

    def hot_rows(self):
        "read-write by 8 sessions on 10 rows"
        pgload = self.run(self.pgload("-T", "5", "--table-size", "10", workload="oltp_read_write"))
        per_s = pgload.document["transactions"]["per_second"]
        states = {}
        for error in pgload.document["errors"]:
            states[error["sqlstate"]] = states.get(error["sqlstate"], 0) + error["count"]
        assert states.get("40P01", 0) > 0, pgload.output
        counts = ", ".join(f"{state} {count:,}" for state, count in sorted(states.items()))
        sysbench = self.run(self.sysbench("--time=5", "--table-size=10", "run", workload="oltp_read_write"))
        done, ignored = sysbench.find(r"transactions: +(\d+)", 0), sysbench.find(r"ignored errors: +(\d+)", 0)
        return [f"{per_s:,.0f} tx/s; {counts} by statement, with message, {pgload.ending}",
                f"{done / 5:,.0f} tx/s, {ignored:,.0f} \"ignored errors\", no reason given, {sysbench.ending}", "–"]

    ALL = (interrupted, too_many, restarted, overloaded, stalled, stalled_at_a_rate, cancelled, absent, listed, hot_rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("release")
    parser.add_argument("--only", default="", help="troubles with this word in their name")
    arguments = parser.parse_args()
    good = True
    if not shutil.which("pgbench"):
        os.environ["PATH"] += f":{max(Path('/usr/lib/postgresql').glob('*/bin'))}"
    with Postgres("max_connections = 60") as server, tempfile.TemporaryDirectory() as folder:
        trouble = Trouble(arguments.release, server, folder)
        print("| trouble | sysbench | pgbench | pgload |\n|---|---|---|---|")
        for case in Trouble.ALL:
            if arguments.only not in case.__doc__:
                continue
            try:
                pgload, sysbench, pgbench = case(trouble)
                print(f"| {case.__doc__} | {sysbench} | {pgbench} | {pgload} |", flush=True)
            except AssertionError as failure:
                good = False
                print(f"| {case.__doc__} | | | FAIL: {failure} |", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
