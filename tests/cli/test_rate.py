"""Load by a schedule, sweeps, runs of several processes, on a real server. T4, T7, T12, T21, T22."""
import json
import os
import re
import shutil
import threading
import time
import unittest
from datetime import datetime, timedelta, timezone

from pgload_case import SIGINT, Postgres, PgloadCase, address, server

FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"
RUN = ("--workload", "oltp_point_select", "--time", "300ms")


class Rate(PgloadCase):
    def counts(self, report):
        counts = report["transactions"]
        self.assertEqual(counts["arrivals"], counts["started"] + counts["skipped"] + counts["queued"], counts)
        self.assertEqual(counts["started"], counts["completed"] + counts["failed"] + counts["unfinished"], counts)
        return counts

    def test_a_rate_is_kept_and_three_times_stand_side_by_side(self):
        report = self.run_load("--rate", "1000", "--arrivals", "uniform", "--sessions", "8", "--time", "1")
        self.assertEqual(self.counts(report)["arrivals"], 1000)
        self.assertEqual(report["loop"], "open")
        self.assertEqual(report["load"]["mean_rate"], 1000)
        latency = report["latency_us"]
        counts = report["transactions"]  # the last may be queued: a late timer, and the window is over
        for part, count in (("response", 1000), ("queue", counts["started"]), ("service", counts["completed"])):
            self.assertEqual(latency[part]["count"], count)
        self.assertGreaterEqual(latency["response"]["p50"], latency["service"]["p50"])
        self.assertRegex(self.last.out, r"(?s)arrivals .*\nresponse .*\n +queue .*\n +service ")

    def test_the_schedule_is_the_seed_s_whoever_serves_it(self):  # T21
        planned = {self.run_load("--rate", "2000", "--seed", "5", "--sessions", sessions, "-j", threads)["transactions"]["arrivals"]
                   for sessions, threads in (("1", "1"), ("8", "2"), ("3", "2"))}
        self.assertEqual(len(planned), 1)

    def test_a_million_millions_per_second(self):  # T4
        counts = self.counts(self.run_load("--rate", "1e12", "--late-policy", "skip:10ms", "--sessions", "4"))
        self.assertAlmostEqual(counts["arrivals"] / 3e11, 1, delta=1e-3)
        self.assertGreater(counts["skipped"], 2.5e11)
        self.assertGreater(counts["completed"], 0)
        counts = self.counts(self.run_load("--rate", "1e12", "--sessions", "4"))
        self.assertEqual(counts["skipped"], 0)
        self.assertGreater(counts["queued"], 2.5e11)

    def test_one_in_thirty_years(self):  # T4
        report = self.run_load("--rate", "1e-9", "--sessions", "4", code=2)
        self.assertEqual(self.counts(report)["arrivals"], 0)
        self.assertAlmostEqual(report["duration_s"], 0.3, delta=0.2)
        self.assertIn("no transaction was planned", report["outcome"]["reason"])
        self.assertIsNone(report["latency_us"]["response"]["p99"])

    def test_a_profile_is_run_to_its_end(self):
        file = self.folder / "report.json"
        self.pgload("--workload", "oltp_point_select", "--rate", "ramp 0..1000 over 1s, 0 for 500ms, step 100 every 100ms to 300",
                    "--arrivals", "uniform", "--sessions", "4", "--json", file, *address(server()))
        report = json.loads(file.read_text())
        self.assertAlmostEqual(report["duration_s"], 1.8, delta=0.01)
        self.assertAlmostEqual(self.counts(report)["arrivals"], 500 + 10 + 20 + 30, delta=1)

    def test_a_rate_that_is_none(self):  # T7
        for value in ("0", "-5", "nan", "inf", "1e13", "fast", "", "1,5"):
            with self.subTest(value):
                self.refused(*RUN, "--rate", value, says="--rate")

    def test_a_profile_with_a_hole(self):  # T7
        self.refused(*RUN, "--rate", "ramp 0..5 over 1s,,hold 3s", says="between two commas")
        self.refused(*RUN, "--rate", "hold 3s", says="'hold 3s' goes on from a level")
        self.refused(*RUN, "--rate", "0 for 3s", says="above 0")
        self.refused(*RUN, "--rate", "ramp 5 over 1s", says="'ramp 5 over 1s' is no piece")
        self.refused(*RUN, "--sessions", "ramp 0..0 over 1s", says="at least 1 session")

    def test_percentiles_at_the_edge(self):  # T7
        self.run_load("--rate", "500", "--percentiles", "0,100")
        self.assertRegex(self.last.out, r" p0 +p100 ")
        response = next(line.split() for line in self.last.out.splitlines() if line.startswith("response "))
        self.assertEqual(response[3], response[4])  # p100 is the maximum
        self.refused(*RUN, "--percentiles", "101", says="0 to 100")
        self.refused(*RUN, "--percentiles", "nan", says="0 to 100")

    def test_late_policies_that_are_none(self):
        for value in ("skip:x", "skip:", "skip", "skip:-1s", "drop", ""):
            with self.subTest(value):
                self.refused(*RUN, "--rate", "5", "--late-policy", value, says="--late-policy")

    def test_contradictions(self):
        self.refused(*RUN, "--rate", "5", "--pipeline", "2", says=("--rate", "--pipeline"))
        self.refused(*RUN, "--rate", "5", "--think", "1s", says=("--rate", "--think"))
        self.refused(*RUN, "--rate", "5", "--sessions", "ramp 1..5 over 1s", says=("--rate", "--sessions"))
        self.refused(*RUN, "--late-policy", "skip:1s", says=("--late-policy", "--rate"))
        self.refused(*RUN, "--arrivals", "uniform", says=("--arrivals", "--rate"))
        self.refused(*RUN, "--rate", "5", "--arrivals", "normal", says="--arrivals")
        self.refused(*RUN, "--think", "exp:x", says="--think")

    def test_thinking_sessions_are_slow(self):
        report = self.run_load("--think", "50ms", "--sessions", "4", "--time", "1")
        self.assertLessEqual(report["transactions"]["completed"], 4 * 21)  # one before the first whole think time
        self.assertGreaterEqual(report["transactions"]["completed"], 4 * 10)


class Stall(PgloadCase):
    def lock_for_two_seconds(self, one):
        one.sql("begin; lock table sbtest1, sbtest2; select pg_sleep(2); commit")

    def run_into_it(self, *load):
        one = server()
        file = self.folder / "report.json"
        running = self.start("--workload", "oltp_point_select", "--sessions", "8", "--time", "10", "--report-interval", "1",
                             "--json", file, *load, *address(one)).started()
        self.lock_for_two_seconds(one)
        self.assertEqual(running.end().code, 0)
        return json.loads(file.read_text())

    def test_two_seconds_of_ten_are_in_the_response_times(self):  # T22
        report = self.run_into_it("--rate", "500")
        self.assertGreaterEqual(report["latency_us"]["response"]["p99"], 1.8e6)
        self.assertLess(report["latency_us"]["response"]["p99"], 3e6)
        self.assertLess(report["latency_us"]["service"]["p99"], 0.5e6)
        self.assertGreaterEqual(report["self_check"]["all_busy_ratio"], 0.15)

    def test_a_closed_loop_says_how_long_it_was_silent(self):  # T22
        report = self.run_into_it()
        self.assertLess(report["latency_us"]["service"]["p99"], 0.5e6)
        self.assertGreaterEqual(report["closed_loop_estimate"]["longest_silence_s"], 1.9)
        self.assertGreaterEqual(report["closed_loop_estimate"]["fixed_rate_p99_us"], 1e6)


class Stop(PgloadCase):
    def test_in_the_warm_up(self):
        for load in ((), ("--rate", "200"), ("--rate", "200000")):
            with self.subTest(load):
                running = self.start(*RUN, "--warmup", "60", "--sessions", "4", "--report-interval", "1", *load,
                                     *address(server())).started()
                began = time.monotonic()
                result = running.signal(SIGINT).end()
                self.assertEqual(result.code, 130, result)
                self.assertLess(time.monotonic() - began, 5)

    def test_in_the_middle_everything_is_accounted_for(self):
        file = self.folder / "report.json"
        for policy in ("queue", "skip:20ms"):
            with self.subTest(policy):
                running = self.start("--workload", "oltp_point_select", "--time", "60", "--sessions", "4", "--rate", "200000",
                                     "--late-policy", policy, "--report-interval", "1", "--json", file, *address(server()))
                self.assertEqual(running.started().signal(SIGINT).end().code, 130)
                counts = json.loads(file.read_text())["transactions"]
                self.assertEqual(counts["arrivals"], counts["started"] + counts["skipped"] + counts["queued"])
                self.assertGreater(counts["queued"], 0)


class Sweep(PgloadCase):
    def sweep(self, *arguments, code=0, on=None):
        file = self.folder / "sweep.json"
        self.last = self.pgload("sweep", "--workload", "oltp_point_select", "--warmup", "100ms", "--time", "300ms", "--json",
                                file, *address(on or server()), *arguments, code=code)
        return json.loads(file.read_text())

    def rows(self):
        return [line.split()[0] for line in self.last.out.splitlines()[1:] if line[0].isdigit()]

    def test_over_sessions(self):
        document = self.sweep("--sessions", "1,2..8")
        self.assertEqual(document["schema"], "pgload.sweep/1")
        self.assertEqual([step["sessions"]["open"] for step in document["steps"]], [1, 2, 4, 8])
        self.assertEqual(self.rows(), ["1", "2", "4", "8"])
        best = document["steps"][document["saturation_step"]]
        self.assertRegex(self.last.out, rf"throughput (stops growing at|grows up to the last step,) sessions "
                                        rf"{best['sessions']['requested']}:")
        seeds = {step["seed"] for step in document["steps"]}
        self.assertEqual(len(seeds), 1)

    def test_over_rates(self):
        document = self.sweep("--rate", "200..800x2", "--sessions", "4", "--arrivals", "uniform")
        self.assertEqual([step["transactions"]["arrivals"] for step in document["steps"]], [60, 120, 240])
        self.assertEqual(self.rows(), ["200", "400", "800"])
        for step in document["steps"]:
            self.assertEqual(step["loop"], "open")

    def test_a_step_is_one_step_however_it_is_rounded(self):
        self.assertEqual(len(self.sweep("--sessions", "1..3x1.2")["steps"]), 3)

    def test_ctrl_c_in_the_middle_keeps_what_was_measured(self):
        file = self.folder / "sweep.json"
        running = self.start("sweep", "--workload", "oltp_point_select", "--warmup", "0", "--time", "700ms", "--sessions", "1,2,4",
                             "--json", file, *address(server()))
        running.wait_for("sessions 2, step 2 of 3")
        result = running.signal(SIGINT).end()
        self.assertEqual(result.code, 130, result)
        steps = json.loads(file.read_text())["steps"]
        self.assertIn(len(steps), (1, 2))  # the second may not have begun
        self.assertEqual(steps[0]["outcome"]["status"], "good")
        self.assertIn("throughput", result.out)

    def test_a_step_that_cannot_begin_keeps_what_was_measured(self):
        one = server(configuration="max_connections = 20\nsuperuser_reserved_connections = 3")
        document = self.sweep("--sessions", "2,4,200", on=one, code=2)
        self.assertEqual([step["sessions"]["open"] for step in document["steps"]], [2, 4])
        self.assertEqual(self.rows(), ["2", "4"])
        self.assertRegex(self.last.err, r"ended before sessions 200: .*53300")

    def test_steps_that_are_none(self):
        for steps in ("4,2", "1,1", "1..4x1", "0,1", "1..", "x,2", "1,2000000"):
            with self.subTest(steps):
                self.refused("sweep", *RUN, "--sessions", steps, says="--sessions")
        for steps in ("100,50", "x", "1..5x0.5", "0"):
            with self.subTest(steps):
                self.refused("sweep", *RUN, "--rate", steps, says="--rate")
        self.refused("sweep", *RUN, says=("--sessions", "--rate"))
        self.refused("sweep", *RUN, "--sessions", "1,2", "--rate", "10,20", says="one list")


class Machines(PgloadCase):
    """Several processes that make one run."""

    def test_the_parts_make_the_whole(self):
        def planned(*share):
            report = self.run_load("--rate", "1000", "--arrivals", "uniform", "--seed", "7", "--sessions", "2", *share)
            return report["transactions"]["arrivals"], report["client"]["index"], report["client"]["of"]
        self.assertEqual(planned(), (300, 1, 1))
        self.assertEqual(planned("--client", "1/2"), (150, 1, 2))
        self.assertEqual(planned("--client", "2/2"), (150, 2, 2))

    def test_their_keys_and_arrivals_are_their_own(self):
        # The server sees which rows are asked for. With a whole run's worth of keys, the parts' streams differ.
        one = Postgres(configuration="log_statement = all\nlog_min_duration_statement = -1")
        self.addCleanup(one.close)
        self.pgload("prepare", "--workload", "oltp_point_select", "--tables", "1", "--table-size", "100000", *address(one))
        seen = []
        for share in ("1/2", "2/2", "1/2"):
            log = one.folder / "log"
            before = len(log.read_text())
            self.run_load("--transactions", "200", "--seed", "7", "--sessions", "1", "--client", share, on=one)
            seen.append(re.findall(r"parameters: \$1 = '(\d+)'", log.read_text()[before:]))
        self.assertGreaterEqual(len(seen[0]), 200)
        self.assertEqual(seen[0], seen[2])  # the seed decides
        self.assertNotEqual(seen[0], seen[1])
        same = sum(one == two for one, two in zip(seen[0], seen[1]))
        self.assertLess(same, 10)

    def test_a_launcher_says_who_is_who(self):
        for variables, share, expected in [
            ({"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "3"}, "auto", (2, 3)),
            ({"PMI_RANK": "2", "PMI_SIZE": "3"}, "auto", (3, 3)),
            ({"SLURM_PROCID": "0", "SLURM_NTASKS": "2"}, "auto", (1, 2)),
            ({"JOB_COMPLETION_INDEX": "4"}, "auto/5", (5, 5)),
        ]:
            with self.subTest(share, **variables):
                client = self.run_load("--client", share, env=variables)["client"]
                self.assertEqual((client["index"], client["of"]), expected)

    def test_a_share_that_is_none(self):
        for share in ("0/2", "3/2", "1", "x/2", "1/0", "auto", "auto/2"):
            with self.subTest(share):
                self.refused(*RUN, "--client", share, says="--client")
        self.refused(*RUN, "--client", "auto", env={"OMPI_COMM_WORLD_RANK": "3", "OMPI_COMM_WORLD_SIZE": "3"}, says="--client")

    @unittest.skipUnless(shutil.which("mpirun"), "needs Open MPI")
    def test_under_mpirun(self):
        mpirun = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-np", "2"]
        script = f'exec "$@" --json {self.folder}/part-$OMPI_COMM_WORLD_RANK.json'
        result = self.start(*RUN, "--rate", "1000", "--arrivals", "uniform", "--client", "auto", "--sessions", "2",
                            *address(server()), command=[*mpirun, "sh", "-c", script, "sh", os.environ["PGLOAD"]]).end()
        self.assertEqual(result.code, 0, result)
        parts = [json.loads((self.folder / f"part-{rank}.json").read_text()) for rank in (0, 1)]
        self.assertEqual([part["client"]["index"] for part in parts], [1, 2])
        self.assertEqual([part["transactions"]["arrivals"] for part in parts], [150, 150])

    def test_they_start_together(self):
        start = datetime.now(timezone.utc).replace(microsecond=0) + timedelta(seconds=5)
        began = time.monotonic()
        wait_s = (start - datetime.now(timezone.utc)).total_seconds()
        reports = [None, None]

        def one(number):
            result = self.start(*RUN, "--start-at", start.strftime("%Y-%m-%dT%H:%M:%SZ"), "--json", "-", *address(server())).end()
            reports[number] = json.loads(result.out)

        threads = [threading.Thread(target=one, args=(number,)) for number in (0, 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertGreaterEqual(time.monotonic() - began, wait_s + 0.3)
        for report in reports:
            self.assertEqual(report["outcome"]["status"], "good")
            self.assertAlmostEqual(report["duration_s"], 0.3, delta=0.2)
            self.assertFalse([note for note in report["notes"] if "after --start-at" in note])

    def test_start_times_that_are_none(self):
        self.refused(*RUN, "--start-at", "2020-01-01T00:00:00Z", says=("--start-at", "over"))
        for value in ("soon", "", "2030-13-01T00:00:00Z", "-5"):
            with self.subTest(value):
                self.refused(*RUN, "--start-at", value, says="--start-at")

    def test_ctrl_c_while_waiting_for_the_start(self):
        one = server()
        running = self.start(*RUN, "--start-at", "2099-01-01T00:00:00Z", *address(one))
        while one.sql("select count(*) from pg_stat_activity where application_name = 'pgload'") == "0":
            self.assertIsNone(running.process.poll())
        self.assertEqual(running.signal(SIGINT).end().code, 130)


class WallClock(PgloadCase):
    @unittest.skipUnless(os.path.exists(FAKETIME), "needs libfaketime")
    def test_set_back_an_hour_in_the_run(self):  # T12
        # libfaketime reads this file at each look at the clock.
        shift = self.folder / "shift"
        shift.write_text("+0")
        file = self.folder / "report.json"
        running = self.start("--workload", "oltp_point_select", "--sessions", "4", "--time", "3", "--rate", "500", "--arrivals",
                             "uniform", "--report-interval", "1", "--json", file, *address(server()), env={
                                 "LD_PRELOAD": FAKETIME, "FAKETIME_TIMESTAMP_FILE": str(shift), "FAKETIME_NO_CACHE": "1",
                                 "DONT_FAKE_MONOTONIC": "1"}).started()
        shift.write_text("-1h")
        self.assertEqual(running.end().code, 0)
        report = json.loads(file.read_text())
        self.assertAlmostEqual(report["duration_s"], 3, delta=0.01)
        self.assertEqual(report["transactions"]["arrivals"], 1500)
        self.assertGreaterEqual(report["transactions"]["completed"], 1490)
        measured = [one for one in report["intervals"] if not one["drain"]]
        self.assertEqual([one["arrivals"] for one in measured], [500, 500, 500])
        self.assertLess(report["latency_us"]["response"]["max"], 1.5e6)
        self.assertLess(report["self_check"]["client_error_us"]["max"], 1.5e6)


if __name__ == "__main__":
    unittest.main()
