"""What goes wrong around a run: servers that refuse, vanish, restart; signals; limits. T1 to T3, T14, T16 to T18."""
import json
import os
import re
import shutil
import signal
import subprocess
import unittest
from pathlib import Path

from pgload_case import (PGLOAD, ROWS, SIGHUP, SIGINT, SIGTERM, Postgres, PgloadCase, address, environment, server)

LOAD = ("--workload", "oltp_point_select", "--report-interval", "100ms")


class Refusals(PgloadCase):
    def test_wrong_password_and_no_such_database(self):
        one = server(hba="host all locked all scram-sha-256\nhost all all all trust\n")
        one.sql("create role locked login password 'x'")
        self.refused(*LOAD, "--sessions", "40", *address(one, "locked"), env={"PGPASSWORD": "wrong"}, says=("28P01", "locked"))
        self.refused(*LOAD, *address(one, "locked"), says=("password", "locked"))
        self.refused(*LOAD, *address(one)[:-1], "no_such_db", says=("3D000", "no_such_db"))

    def test_more_sessions_than_the_server_allows(self):  # T1
        one = server(configuration="max_connections = 20\nsuperuser_reserved_connections = 3")
        self.refused_run("--sessions", "100", on=one, says=("100", "53300"))
        report = self.run_load("--sessions", "100", "--min-sessions", "5", on=one)
        self.assertEqual(report["sessions"]["requested"], 100)
        self.assertTrue(5 <= report["sessions"]["open"] <= 20, report["sessions"])

    def test_missing_tables_and_columns_and_too_few_rows(self):  # T18
        one = server()
        one.sql("create database empty")
        self.addCleanup(one.sql, "drop database empty with (force)")
        empty = [*address(one)[:-1], "empty"]
        self.refused(*LOAD, *empty, "--sessions", "20", says="pgload prepare")
        self.refused(*LOAD, *address(one), "--tables", "1", "--table-size", "100000", says=("pgload prepare", "1,000"))
        self.refused(*LOAD, *address(one), "--tables", "9", "--table-size", ROWS, says=("pgload prepare", "sbtest3"))
        one.sql("create table sbtest1 (id int primary key, wrong text)", "empty")
        self.refused(*LOAD, *empty, "--tables", "1", "--table-size", "10", says="sbtest1")

    def test_no_right_to_create(self):
        one = server()
        one.sql("create role poor login")
        one.sql("create database unowned")
        self.addCleanup(one.sql, "drop database unowned with (force)")
        self.refused("prepare", "--workload", "oltp_point_select", "--tables", "1", "--table-size", "10",
                     *address(one, "poor")[:-1], "unowned", says=("42501", "GRANT CREATE"))

    def test_a_host_of_the_list_that_is_down(self):
        one = server()
        at = ["-h", "127.0.0.1,127.0.0.1", "-p", f"{one.port},1", "-U", "postgres", "-d", "postgres"]
        self.refused(*LOAD, *at, "--sessions", "4", "--time", "300ms", says="127.0.0.1:1")
        file = self.folder / "report.json"
        self.pgload(*LOAD, *at, "--sessions", "4", "--min-sessions", "2", "--time", "300ms", "--json", file)
        self.assertEqual(json.loads(file.read_text())["sessions"]["open"], 4)

    def test_more_sessions_than_descriptors(self):  # T16
        raised = ["sh", "-c", 'ulimit -S -n 64 && exec "$@"', "sh", PGLOAD]
        result = self.pgload(*LOAD, "--time", "300ms", "--sessions", "90", *address(server()), command=raised)
        self.assertIn("90 sessions", result.out)
        fixed = ["sh", "-c", 'ulimit -n 256 && exec "$@"', "sh", PGLOAD]
        self.refused_run("--sessions", "1000", command=fixed, says=("1,000", "256"))

    def test_no_local_ports_left(self):  # T17
        inside = ("ip link set lo up && echo 40000 40040 > /proc/sys/net/ipv4/ip_local_port_range && exec \"$@\"")
        space = ["unshare", "-n", "sh", "-c", inside, "sh"]
        if subprocess.run([*space, "true"], capture_output=True, check=False).returncode:
            self.skipTest("no network namespace can be made here")
        result = self.start("--ephemeral", *LOAD, "--tables", "1", "--table-size", "100", "--time", "300ms", "--sessions",
                            "100", command=[*space, PGLOAD]).end()
        self.assertEqual(result.code, 1, result)
        self.assertRegex(result.err, r"port|address")
        self.assertIn("100", result.err)


class Faults(PgloadCase):
    def setUp(self):
        super().setUp()
        self.one = Postgres()
        self.addCleanup(self.one.close)
        self.pgload("prepare", "--workload", "oltp_point_select", "--tables", "1", "--table-size", ROWS, *address(self.one))
        self.file = self.folder / "report.json"

    def load(self, *arguments):
        return self.start(*LOAD, "--sessions", "6", "--json", self.file, *address(self.one), *arguments).started()

    def report(self):
        return json.loads(self.file.read_text())

    def test_a_server_that_restarts(self):  # T2
        running = self.load("--time", "60s", "--max-failed", "1")
        self.one.restart()
        running.wait_for(r" [1-9][\d,.]* tps")
        before = self.one.sql("select count(*) from pg_stat_activity where application_name = 'pgload'")
        while int(before) < 6:  # the sessions come back on their own
            before = self.one.sql("select count(*) from pg_stat_activity where application_name = 'pgload'")
        result = running.signal(SIGINT).end()
        self.assertEqual(result.code, 130, result)
        report = self.report()
        self.assertTrue(report["errors"], report)
        self.assertLessEqual({error["class"] for error in report["errors"]}, {"server", "connect", "lost"})
        self.assertGreater(report["transactions"]["completed"], 0)

    def test_a_name_that_moves_to_another_address_is_followed(self):
        hosts = self.folder / "hosts"
        hosts.write_text("127.0.0.1 db.test\n")
        space = ["unshare", "-m", "sh", "-c", f"mount --bind {hosts} /etc/hosts && exec \"$@\"", "sh"]
        if subprocess.run([*space, "true"], capture_output=True, check=False).returncode:
            self.skipTest("no mount namespace can be made here")
        other = Postgres(configuration="listen_addresses = '127.0.0.2'")
        self.addCleanup(other.close)
        other.stop()
        running = self.start(*LOAD, "--sessions", "4", "--time", "60s", "--max-failed", "1", "--json", self.file, "-h",
                             "db.test", *address(self.one)[2:], command=[*space, PGLOAD]).started()
        self.one.stop()
        shutil.copytree(self.one.data, other.data, dirs_exist_ok=True,  # the same tables there
                        ignore=shutil.ignore_patterns("postgresql.conf", "postmaster.*"))
        subprocess.run(["chown", "-R", "--reference", other.data, other.data], check=True)
        other.port = self.one.port
        other.start()
        self.assertEqual(other.port, self.one.port)
        hosts.write_text("127.0.0.2 db.test\n")
        running.wait_for(r" [1-9][\d,.]* tps.*busy [1-4]/4")
        while int(other.sql("select count(*) from pg_stat_activity where application_name = 'pgload'")) < 4:
            running.wait_for(r"\btps\b")
        self.assertEqual(running.signal(SIGINT).end().code, 130)

    def test_an_outage_that_is_most_of_the_run_fails_it(self):
        running = self.load("--time", "3s", "--max-failed", "0")
        self.one.stop()
        result = running.end()
        self.assertEqual(result.code, 2, result)
        self.assertIn(self.report()["outcome"]["status"], ("failed", "aborted"))

    def backends(self):
        listed = self.one.sql("select pid from pg_stat_activity where application_name = 'pgload' and query like 'SELECT c%'")
        return [int(pid) for pid in listed.split()]

    def test_a_host_that_vanishes_without_a_word(self):  # T3
        running = self.load("--time", "3s", "--statement-timeout", "500ms", "--drain", "1s", "--max-failed", "1")
        frozen = self.backends()[0]
        os.kill(frozen, signal.SIGSTOP)
        self.addCleanup(os.kill, frozen, signal.SIGCONT)
        result = running.end()
        self.assertEqual(result.code, 0, result)
        report = self.report()
        self.assertIn("timeout", {error["class"] for error in report["errors"]})
        self.assertGreater(report["intervals"][1]["completed"], 0)  # the others went on

    def test_sql_errors_are_counted_and_fail_the_run(self):
        self.one.sql("create role reader login; grant select on sbtest1 to reader")
        running = self.start(*LOAD, "--sessions", "4", "--time", "1500ms", "--json", self.file, *address(self.one, "reader"))
        running.started()
        self.one.sql("revoke select on sbtest1 from reader")
        result = running.end()
        self.assertEqual(result.code, 2, result)
        error = self.report()["errors"][0]
        self.assertEqual((error["class"], error["sqlstate"]), ("server", "42501"))
        self.assertEqual(error["count"], self.report()["transactions"]["failed"])
        self.assertIn("42501", result.out)

    def test_signals_end_with_a_report(self):  # T14
        for number, code in ((SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)):
            with self.subTest(number):
                result = self.load("--time", "60s").signal(number).end()
                self.assertEqual(result.code, code, result)
                self.assertIn("throughput", result.out)
                self.assertEqual(self.report()["outcome"]["status"], "stopped")

    def test_one_wish_may_arrive_as_two_signals(self):  # timeout(1) signals its child and its process group
        running = self.load("--time", "60s").signal(SIGTERM)
        status = Path(f"/proc/{running.process.pid}/status")
        while re.search(r"^ShdPnd:.*[1-9a-f]", status.read_text(), re.MULTILINE):
            pass  # else the two would melt into one
        result = running.signal(SIGTERM).end()
        self.assertEqual(result.code, 143, result)
        self.assertIn("throughput", result.out)

    def test_the_second_signal_ends_at_once(self):  # T14
        running = self.load("--time", "60s", "--drain", "60s")
        frozen = self.backends()
        for pid in frozen:
            os.kill(pid, signal.SIGSTOP)
        try:
            running.signal(SIGINT)
            with self.assertRaises(subprocess.TimeoutExpired):
                running.process.wait(1)  # two that come together are one wish
            running.signal(SIGINT)
            self.assertEqual(running.end(limit=10).code, 130)
        finally:
            for pid in frozen:
                os.kill(pid, signal.SIGCONT)

    def test_what_is_unfinished_after_the_drain_is_counted(self):
        running = self.load("--time", "60s", "--drain", "300ms")
        frozen = self.backends()[:2]
        for pid in frozen:
            os.kill(pid, signal.SIGSTOP)
        result = running.signal(SIGINT).end()
        for pid in frozen:
            os.kill(pid, signal.SIGCONT)
        self.assertEqual(result.code, 130, result)
        self.assertEqual(self.report()["transactions"]["unfinished"], 2)

    def test_no_file_of_pgload_gets_the_number_of_a_closed_stream(self):
        closed = ["sh", "-c", 'exec "$@" >&-', "sh", PGLOAD]
        running = self.start(*LOAD, "--time", "60s", *address(self.one), command=closed).started()
        self.assertEqual(os.readlink(f"/proc/{running.process.pid}/fd/1"), "/dev/null")
        result = running.signal(SIGINT).end()
        self.assertEqual(result.code, 130, result)
        self.assertIn("cannot write the report", result.err)  # a signal hides no error

    def test_stdout_that_is_closed_is_no_crash(self):  # T14
        outer, inner = os.pipe()
        os.close(outer)
        running = self.start(*LOAD, "--time", "300ms", *address(self.one), stdout=inner)
        os.close(inner)
        result = running.end()
        self.assertGreaterEqual(result.code, 0, result)  # not killed by SIGPIPE
        self.assertNotIn("terminate", result.err)
        piped = subprocess.run(["sh", "-c", '"$0" list | true', PGLOAD], env=environment(), capture_output=True, check=False)
        self.assertEqual(piped.stderr, b"")


if __name__ == "__main__":
    unittest.main()
