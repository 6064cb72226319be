#!/usr/bin/env python3
"""usage: bench.py RELEASE_FOLDER [--rounds N] [--queries N] [--sessions 16,128,512] [--json FILE]

pgload, pgbench, sysbench and the floor (one bare epoll loop) run the same number of point selects against one private
PostgreSQL, in turns, so that a noisy moment meets all. Medians of the rounds are shown; what is checked are medians of
ratios inside a round. CPU is the client's, user and system, from its start to its end, over its queries; queries/s are
what each tool reports."""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from postgres import Postgres  # noqa: E402

ROWS = 100_000
SCRIPT = f"\\set id random(1, {ROWS})\nSELECT c FROM sbtest1 WHERE id=:id;\n"


class Bench:
    def __init__(self, release, server, folder, queries):
        self.release, self.server, self.folder, self.queries = Path(release), server, Path(folder), queries
        (self.folder / "point.sql").write_text(SCRIPT)
        self.environment = {**os.environ, "PGSSLMODE": "disable", "PGHOST": "127.0.0.1", "PGUSER": "postgres",
                            "PGPORT": str(server.port), "PGDATABASE": "postgres", "LC_ALL": "C"}

    def sysbench(self, *arguments):
        return ["sysbench", "oltp_point_select", "--db-driver=pgsql", "--pgsql-host=127.0.0.1", "--pgsql-user=postgres",
                f"--pgsql-port={self.server.port}", "--pgsql-db=postgres", "--tables=1", f"--table-size={ROWS}",
                "--rand-type=uniform", *arguments]

    def prepare(self):
        subprocess.run(self.sysbench("prepare"), env=self.environment, check=True, stdout=subprocess.DEVNULL)
        self.server.sql("vacuum analyze sbtest1")

    def tools(self, sessions):
        """name -> (command, how to find queries/s and queries in what it prints)."""
        pgload = [self.release / "pgload", "--workload", "oltp_point_select", "--tables", "1", "--table-size", str(ROWS),
                  "--sessions", str(sessions), "--transactions", str(self.queries), "--time", "10m", "--json",
                  self.folder / "pgload.json"]
        pgbench = ["pgbench", "-n", "-M", "prepared", "-f", self.folder / "point.sql", "-c", str(sessions), "-t",
                   str(self.queries // sessions)]
        return {
            "floor": ([self.release / "tests/bench/bench_floor", str(self.server.port), "postgres", "postgres",
                       str(sessions), str(self.queries), str(ROWS)], self.read_floor),
            "pgload": (pgload, self.read_pgload),
            "pgload -j 1": ([*pgload, "-j", "1"], self.read_pgload),
            "pgbench -j 2": ([*pgbench, "-j", "2"], self.read_pgbench),
            "pgbench -j 1": ([*pgbench, "-j", "1"], self.read_pgbench),
            "sysbench": (self.sysbench(f"--threads={sessions}", f"--events={self.queries}", "--time=0", "run"),
                         self.read_sysbench),
        }

    @staticmethod
    def read_floor(output):
        found = json.loads(output)
        return found["queries"] / found["seconds"], found["queries"]

    def read_pgload(self, _):
        found = json.loads((self.folder / "pgload.json").read_text())
        if found["transactions"]["failed"] or found["transactions"]["unexpected"]:
            raise RuntimeError(f"pgload had failures: {found['errors']}")
        return found["queries"]["per_second"], found["queries"]["count"]

    @staticmethod
    def read_pgbench(output):
        done = int(re.search(r"transactions actually processed: (\d+)", output).group(1))
        return float(re.search(r"tps = ([\d.]+) \(without initial", output).group(1)), done

    @staticmethod
    def read_sysbench(output):
        found = re.search(r"queries:\s+(\d+)\s+\(([\d.]+) per sec", output)
        return float(found.group(2)), int(found.group(1))

    def measure(self, command, read):
        used = self.folder / "used.json"
        run = subprocess.run([self.release / "tests/bench/bench_measure", used, *map(str, command)],
                             env=self.environment, capture_output=True, text=True, check=False)
        if run.returncode:
            raise RuntimeError(f"{command[0]} ended with {run.returncode}: {run.stdout}{run.stderr}")
        rate, queries = read(run.stdout)
        used = json.loads(used.read_text())
        return {"queries_per_second": rate, "cpu_us": (used["user_s"] + used["system_s"]) * 1e6 / queries,
                "max_rss_mb": used["max_rss_bytes"] / 1e6}


def medians(rounds):
    return {key: statistics.median(one[key] for one in rounds) for key in rounds[0]}


def checks(sessions, rounds):
    """(what, measured ratio, limit, good) for one number of sessions."""
    def ratio(key, *others, best=min):
        return statistics.median(rounds["pgload"][number][key] / best(rounds[name][number][key] for name in others)
                                 for number in range(len(rounds["pgload"])))

    pgbench = ("pgbench -j 1", "pgbench -j 2")
    limits = [("CPU per query / the floor's", ratio("cpu_us", "floor"), 1.3)]
    if sessions >= 128:
        limits += [("CPU per query / the cheaper pgbench's", ratio("cpu_us", *pgbench), 1.0),
                   ("CPU per query / sysbench's", ratio("cpu_us", "sysbench"), 0.5)]
    for what, measured, limit in limits:
        yield what, measured, f"at most {limit}", measured <= limit
    rate = ratio("queries_per_second", *pgbench, "sysbench", best=max)
    yield "queries/s / the best other's", rate, "at least 1", rate >= 1


def show(sessions, rounds):
    got = {name: medians(values) for name, values in rounds.items()}
    print(f"\n{sessions} sessions{'':8} queries/s   CPU us/query   x floor   peak MB")
    for name, value in got.items():
        print(f"  {name:14} {value['queries_per_second']:12,.0f} {value['cpu_us']:14.2f} "
              f"{value['cpu_us'] / got['floor']['cpu_us']:9.2f} {value['max_rss_mb']:9.1f}")
    good = True
    for what, measured, limit, passed in checks(sessions, rounds):
        good &= passed
        print(f"  {'pass' if passed else 'FAIL'}  {what}: {measured:.2f}, {limit}")
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("release")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--queries", type=int, default=300_000)
    parser.add_argument("--sessions", default="16,128,512")
    parser.add_argument("--json")
    arguments = parser.parse_args()
    results, good = {}, True
    with Postgres("max_connections = 600\nshared_buffers = 256MB\nautovacuum = off") as server, \
            tempfile.TemporaryDirectory() as folder:
        bench = Bench(arguments.release, server, folder, arguments.queries)
        bench.prepare()
        for sessions in map(int, arguments.sessions.split(",")):
            tools = bench.tools(sessions)
            rounds = {name: [] for name in tools}
            for number in range(arguments.rounds):
                print(f"\r{sessions} sessions, round {number + 1} of {arguments.rounds} ", end="", file=sys.stderr, flush=True)
                for name, (command, read) in tools.items():
                    rounds[name].append(bench.measure(command, read))
            print("\r" + " " * 40 + "\r", end="", file=sys.stderr)
            results[sessions] = rounds
            good &= show(sessions, rounds)
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(results, indent=1) + "\n")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
