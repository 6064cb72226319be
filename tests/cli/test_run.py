"""Preparing, running, reports, on a real server. C10, C12, T8, T13, T28."""
import json
import os
import pty
import re
import shutil
import subprocess
import time
import unittest
from pathlib import Path

from pgload_case import PGLOAD, ROWS, SECRET, SIGINT, Postgres, PgloadCase, address, environment, server

LATENCY = {"count", "mean", "min", "p50", "p90", "p95", "p99", "p99_9", "max"}


class Json(PgloadCase):
    def test_everything_is_there_and_adds_up(self):
        report = self.run_load("--sessions", "4", "--seed", "42")
        self.assertEqual(report["schema"], "pgload.run/1")
        self.assertEqual(report["workload"]["name"], "oltp_point_select")
        self.assertEqual(report["sessions"]["requested"], 4)
        self.assertEqual(report["sessions"]["open"], 4)
        self.assertAlmostEqual(report["duration_s"], 0.3, delta=0.2)
        self.assertEqual(report["seed"], 42)
        transactions = report["transactions"]
        self.assertGreater(transactions["completed"], 0)
        for key in ("failed", "unfinished", "retries", "unexpected"):
            self.assertEqual(transactions[key], 0, key)
        self.assertEqual(report["queries"]["count"], transactions["completed_in_window"])
        self.assertIsNone(report["latency_us"]["response"])
        service = report["latency_us"]["service"]
        self.assertGreaterEqual(set(service), LATENCY)
        self.assertEqual(service["count"], transactions["completed"])
        ordered = [service[key] for key in ("min", "p50", "p90", "p95", "p99", "p99_9", "max")]
        self.assertEqual(ordered, sorted(ordered))
        self.assertEqual(len(report["statements"]), 1)
        self.assertEqual(sum(host["count"] for host in report["hosts"]), transactions["completed"])
        self.assertEqual(sum(one["completed"] for one in report["intervals"]), transactions["completed"])
        self.assertEqual(report["outcome"]["status"], "good")
        self.assertEqual(report["errors"], [])
        self.assertFalse(report["server"]["tls"])
        self.assertTrue(report["server"]["version"])
        for key in ("cpu_user_s", "cpu_system_s", "max_rss_bytes", "io_threads"):
            self.assertIn(key, report["client"])

    def test_on_stdout_the_report_goes_to_stderr(self):
        result = self.pgload("--workload", "oltp_point_select", "--time", "300ms", "--json", "-", *address(server()))
        self.assertEqual(json.loads(result.out)["schema"], "pgload.run/1")
        self.assertIn("throughput", result.err)

    def test_the_locale_changes_nothing(self):
        locales = self.folder / "locales"
        locales.mkdir()
        made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", locales / "de_DE.UTF-8"], check=False,
                              capture_output=True)
        if not (locales / "de_DE.UTF-8").exists():
            self.skipTest(f"no German locale can be made here: {made.stderr.decode().strip()}")
        report = self.run_load("--time", "0.5s", "--percentiles", "50,99.9",
                               env={"LC_ALL": "de_DE.UTF-8", "LOCPATH": str(locales)})
        self.assertAlmostEqual(report["duration_s"], 0.5, delta=0.2)
        self.assertNotRegex(self.last.out, r"\d,\d{1,2}\b(?!\d)")
        self.assertRegex(self.last.out, r"p50")


class ServerSide(PgloadCase):
    """On a server where nobody else commits, autovacuum neither."""

    def run_load(self, *arguments, **more):
        return super().run_load("--sessions", "4", *arguments, on=server(configuration="autovacuum = off"), **more)

    def test_its_commits_are_ours(self):
        report = self.run_load()
        activity = report["server_activity"]
        self.assertEqual(activity["commits"], report["transactions"]["completed"])
        self.assertEqual(activity["ours"], report["transactions"]["completed"])
        self.assertEqual(activity["rollbacks"], 0)
        self.assertEqual(activity["settings"]["fsync"], "off")
        self.assertIn(f"server side {activity['commits']:,} commits (ours {activity['ours']:,}); ", self.last.out)

    def test_with_a_warm_up(self):
        report = self.run_load("--warmup", "300ms")
        activity = report["server_activity"]
        self.assertGreater(activity["ours"], report["transactions"]["completed"])
        self.assertEqual(activity["commits"], activity["ours"])
        self.assertIn("with the warm-up", self.last.out)

    def test_turned_off(self):
        self.assertIsNone(self.run_load("--no-server-stats")["server_activity"])
        self.assertNotIn("server side", self.last.out)

    def test_the_run_is_described_for_repetition(self):
        report = self.run_load("--seed", "7")
        self.assertEqual(report["configuration"]["sessions"], "4")
        self.assertEqual(report["configuration"]["seed"], "7")
        self.assertEqual(report["configuration"]["drain"], "10s")
        self.assertEqual(report["client"]["machine"]["host_name"], os.uname().nodename)

    def test_what_travels(self):
        means = self.run_load()["client"]["per_transaction"]
        self.assertAlmostEqual(means["sent_messages"], 3, delta=0.1)      # Bind, Execute, Sync
        self.assertAlmostEqual(means["received_messages"], 4, delta=0.1)  # BindComplete, DataRow, two ends
        self.assertGreater(means["received_bytes"], 100)


class Options(PgloadCase):
    def test_given_twice_the_last_wins(self):
        self.assertEqual(self.run_load("--sessions", "7", "-c", "3")["sessions"]["requested"], 3)

    def test_units(self):
        report = self.run_load("--time", "0m0.5s", "--transactions", "2k", "--sessions", "4")
        self.assertEqual(report["transactions"]["completed"], 2000)

    def test_from_a_config_file_and_the_command_line_wins(self):
        config = self.folder / "pgload.conf"
        config.write_text("sessions=5\ntime=200ms\n")
        self.assertEqual(self.run_load("--config", config)["sessions"]["requested"], 5)
        self.assertEqual(self.run_load("--config", config, "--sessions", "2")["sessions"]["requested"], 2)

    def test_every_protocol_and_pipelining(self):
        for protocol in ("prepared", "extended", "simple"):
            for pipeline in ("1", "8"):
                with self.subTest(protocol=protocol, pipeline=pipeline):
                    report = self.run_load("-M", protocol, "--pipeline", pipeline, "--sessions", "3", "-j", "2")
                    self.assertGreater(report["transactions"]["completed"], 0)
                    self.assertEqual(report["transactions"]["unexpected"], 0)
                    self.assertEqual(report["errors"], [])

    def test_transactions_are_the_total_over_all_sessions(self):
        report = self.run_load("--transactions", "1000", "--sessions", "7", "--time", "60s", "-j", "2")
        self.assertEqual(report["transactions"]["completed"], 1000)

    def test_the_warm_up_is_not_counted(self):
        report = self.run_load("--warmup", "300ms", "--sessions", "2")
        self.assertAlmostEqual(report["duration_s"], 0.3, delta=0.2)
        self.assertEqual(report["latency_us"]["service"]["count"], report["transactions"]["completed"])

    def test_the_seed_is_printed(self):
        seed = self.run_load()["seed"]
        self.assertIn(str(seed), self.last.out)

    def test_percentiles_of_choice(self):
        self.run_load("--percentiles", "10,100")
        self.assertIn("p10", self.last.out)
        self.assertNotIn("p95", self.last.out)


class Prepare(PgloadCase):
    def setUp(self):
        super().setUp()
        self.one = server()
        self.name = f"db_{os.getpid()}_{self.id().rsplit('.', 1)[1]}"[:60]
        self.one.sql(f"create database {self.name}")
        self.addCleanup(self.one.sql, f"drop database {self.name} with (force)")
        self.at = ["--workload", "oltp_point_select", *address(self.one)[:-1], self.name]

    def sql(self, text):
        return self.one.sql(text, self.name)

    def test_rows_do_not_depend_on_the_threads(self):
        sums = set()
        for threads in ("1", "4"):
            self.pgload("prepare", *self.at, "--tables", "2", "--table-size", "3000", "--seed", "7", "--recreate", "-j", threads)
            sums.add(self.sql("select md5(string_agg(t::text, ',' order by id)) from sbtest2 t"))
            self.assertEqual(self.sql("select count(*) || ' ' || max(id) from sbtest1"), "3000 3000")
        self.assertEqual(len(sums), 1)

    def test_complete_tables_are_kept_others_refused_unless_told(self):
        self.pgload("prepare", *self.at, "--tables", "1", "--table-size", "500")
        self.assertIn("sbtest1", self.pgload("prepare", *self.at, "--tables", "1", "--table-size", "500").err)
        self.sql("delete from sbtest1 where id > 400")
        self.refused("prepare", *self.at, "--tables", "1", "--table-size", "500", says=("--recreate", "--resume"))
        self.pgload("prepare", *self.at, "--tables", "1", "--table-size", "500", "--resume")
        self.assertEqual(self.sql("select count(*) from sbtest1"), "500")
        self.pgload("prepare", *self.at, "--tables", "1", "--table-size", "300", "--recreate")
        self.assertEqual(self.sql("select count(*) from sbtest1"), "300")

    def test_cleanup_takes_away_what_prepare_made(self):
        self.pgload("prepare", *self.at, "--tables", "3", "--table-size", "10")
        self.pgload("cleanup", *self.at, "--tables", "3")
        self.assertEqual(self.sql("select count(*) from pg_tables where tablename like 'sbtest%'"), "0")
        self.pgload("cleanup", *self.at, "--tables", "3")

    def test_a_run_uses_what_it_finds(self):
        self.pgload("prepare", *self.at, "--tables", "3", "--table-size", "50")
        result = self.pgload(*self.at, "--time", "300ms", "--json", "-")
        self.assertRegex(result.err, r"3 tables x 50 rows")
        options = json.loads(result.out)["workload"]["options"]
        self.assertEqual((options["tables"], options["table-size"]), ("3", "50"))

    def test_table_sizes_above_32_bits_are_understood(self):
        self.pgload("prepare", *self.at, "--tables", "1", "--table-size", "10")
        self.refused(*self.at, "--time", "300ms", "--tables", "1", "--table-size", "5000000000", says="prepare")

    def test_tables_of_sysbench_and_the_reverse(self):
        if not shutil.which("sysbench"):
            self.skipTest("sysbench is not installed")
        sysbench = ["sysbench", "oltp_point_select", "--db-driver=pgsql", "--pgsql-host=127.0.0.1",
                    "--pgsql-user=postgres", f"--pgsql-port={self.one.port}", f"--pgsql-db={self.name}", "--tables=2",
                    "--table-size=500", "--events=200", "--time=0"]
        subprocess.run([*sysbench, "prepare"], check=True, capture_output=True)
        result = self.pgload(*self.at, "--tables", "2", "--table-size", "500", "--time", "300ms", "--json", "-")
        self.assertEqual(json.loads(result.out)["transactions"]["unexpected"], 0)
        self.pgload("prepare", *self.at, "--tables", "2", "--table-size", "500", "--recreate")
        done = subprocess.run([*sysbench, "run"], check=True, capture_output=True, text=True)
        self.assertRegex(done.stdout, r"transactions:\s+200 ")


class Hosts(PgloadCase):
    def test_three_hosts_get_the_same_number_of_sessions(self):  # C12
        others = [Postgres(), Postgres()]
        self.addCleanup(lambda: [one.close() for one in others])
        for one in others:
            self.pgload("prepare", "--workload", "oltp_point_select", "--tables", "1", "--table-size", ROWS, *address(one))
        ports = [server().port, *(one.port for one in others)]
        file = self.folder / "report.json"
        running = self.start("--workload", "oltp_point_select", "--sessions", "10", "--time", "60s", "--tables", "1",
                             "--table-size", ROWS, "--report-interval", "100ms", "-h", "127.0.0.1,127.0.0.1,127.0.0.1",
                             "-p", ",".join(map(str, ports)), "-U", "postgres", "-d", "postgres", "--json", file).started()
        count = "select count(*) from pg_stat_activity where application_name = 'pgload' and query like 'SELECT c%'"
        spread = [int(one.sql(count)) for one in (server(), *others)]
        self.assertLessEqual(max(spread) - min(spread), 1, spread)
        self.assertEqual(running.signal(SIGINT).end().code, 130)
        hosts = json.loads(file.read_text())["hosts"]
        self.assertEqual([host["name"] for host in hosts], [f"127.0.0.1:{port}" for port in ports])
        for host in hosts:
            self.assertGreater(host["count"], 0)
            self.assertGreaterEqual(set(host["latency_us"]), LATENCY)


class Secrets(PgloadCase):
    def on_a_terminal_of_its_own(self, *arguments, typed):
        """What a terminal shows, and the exit code; `typed` answers a question for a password."""
        child, terminal = pty.fork()
        if child == 0:
            os.execve(PGLOAD, [PGLOAD, *arguments], environment())
        text = b""
        try:
            while chunk := os.read(terminal, 65536):
                text += chunk
                if text.endswith(b": ") and b"Password for user" in text:
                    os.write(terminal, typed.encode() + b"\n")
        except OSError:  # how a pseudo-terminal says that nobody writes any more
            pass
        os.close(terminal)
        return text.decode(), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    def test_who_can_be_asked_for_a_password_is_asked_if_the_server_wants_one(self):
        one = server(hba="host all asked all scram-sha-256\nhost all all all trust\n")
        one.sql(f"create role asked login superuser password '{SECRET}'")
        run = ("--workload", "oltp_point_select", "--time", "200ms", *address(one, "asked"))
        text, code = self.on_a_terminal_of_its_own(*run, typed=SECRET)
        self.assertEqual(code, 0, text)
        self.assertIn("Password for user asked:", text)
        self.assertNotIn(SECRET, text)
        text, code = self.on_a_terminal_of_its_own(*run, typed="wrong")
        self.assertEqual(code, 1, text)
        self.assertIn("28P01", text)
        text, code = self.on_a_terminal_of_its_own(*run, "-w", typed=SECRET)
        self.assertEqual(code, 1, text)
        self.assertNotIn("Password for user", text)
        text, code = self.on_a_terminal_of_its_own(*run, typed="\x03")
        self.assertEqual(code, 130, text)
        self.refused(*run, says=("asked", "PGPASSWORD"))  # nobody to ask

    def test_no_password_in_ps_report_or_json(self):  # C10
        one = server(hba="host all secretive all scram-sha-256\nhost all all all trust\n")
        one.sql(f"create role secretive login superuser password '{SECRET}'")
        file = self.folder / "report.json"
        uri = f"postgresql://secretive:{SECRET}@127.0.0.1:{one.port}/postgres"
        running = self.start("--workload", "oltp_point_select", "--time", "60s", "--report-interval", "100ms", "--json",
                             file, "-d", uri).started()
        arguments = Path(f"/proc/{running.process.pid}/cmdline").read_bytes()
        self.assertNotIn(SECRET.encode(), arguments)
        self.assertIn(b"pgload", arguments)
        result = running.signal(SIGINT).end()
        self.assertEqual(result.code, 130, result)
        self.assertNotIn(SECRET, result.out + result.err + file.read_text())
        wrong = self.refused("--workload", "oltp_point_select", "-d", uri.replace("secretive:", "secretive:x"), says="28P01")
        self.assertIn("secretive", wrong.err)


class Terminal(PgloadCase):
    def on_a_terminal(self, columns, **env):
        """stdout and stderr of a short run on a pseudo-terminal this wide."""
        outer, inner = pty.openpty()
        import fcntl
        import struct
        import termios
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        process = subprocess.Popen([os.environ["PGLOAD"], "--workload", "oltp_point_select", "--time", "2500ms",
                                    *address(server())], stdin=inner, stdout=inner, stderr=inner,
                                   env=environment(TERM="xterm", **env), start_new_session=True)
        os.close(inner)
        text = b""
        while True:
            try:
                chunk = os.read(outer, 65536)
            except OSError:  # how a pseudo-terminal says that nobody writes any more
                break
            if not chunk:
                break
            text += chunk
        os.close(outer)
        self.assertEqual(process.wait(), 0, text)
        return text.decode()

    def test_a_pipe_gets_plain_lines(self):  # T28
        result = self.pgload("--workload", "oltp_point_select", "--time", "500ms", "--report-interval", "100ms",
                             *address(server()))
        for text in (result.out, result.err):
            self.assertNotIn("\x1b", text)
            self.assertNotIn("\r", text)
        self.assertRegex(result.err, r"\btps\b")
        self.assertNotRegex(result.out, r"s left")
        for word in ("throughput", "latency", "oltp_point_select", "closed loop", "transaction"):
            self.assertIn(word, result.out)

    def test_a_terminal_gets_one_line_redrawn_and_it_fits(self):  # T28
        for columns in (200, 60):
            text = self.on_a_terminal(columns)
            self.assertIn("\r", text)
            live = [part for part in re.split(r"[\r\n]", re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text)) if " tps" in part]
            self.assertTrue(live)
            for line in live:
                self.assertLessEqual(len(line), columns, line)

    def test_no_colour_when_not_wanted(self):  # T28
        self.assertNotRegex(self.on_a_terminal(120, NO_COLOR="1"), r"\x1b\[[0-9;]*m")


class Ephemeral(PgloadCase):
    def test_it_runs_and_leaves_nothing(self):
        started = time.time()
        result = self.pgload("--ephemeral", "--workload", "oltp_point_select", "--tables", "1", "--table-size", "1000",
                             "--sessions", "4", "--time", "300ms", env={"TMPDIR": str(self.open_folder())})
        self.assertIn("throughput", result.out)
        self.assertEqual(list(self.temporary.iterdir()), [])
        self.assertLess(time.time() - started, 60)

    def test_ctrl_c_leaves_nothing_either(self):
        running = self.start("--ephemeral", "--workload", "oltp_point_select", "--tables", "1", "--table-size", "1000",
                             "--time", "60s", "--report-interval", "100ms", env={"TMPDIR": str(self.open_folder())})
        result = running.started().signal(SIGINT).end()
        self.assertEqual(result.code, 130, result)
        self.assertIn("throughput", result.out)
        self.assertEqual(list(self.temporary.iterdir()), [])

    def open_folder(self):
        """A temporary folder that the server's user can enter, too."""
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()
        self.temporary.chmod(0o1777)
        self.folder.chmod(0o755)
        return self.temporary


if __name__ == "__main__":
    unittest.main()
