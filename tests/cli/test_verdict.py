"""Is the number true? What the client says of itself: stopped, starved, beside its own server. T9, T15, T22."""
import json
import os
import signal
import subprocess
import sys
import time
import unittest

from pgload_case import PgloadCase, address, server

RUN = ("--workload", "oltp_point_select")
ON_ONE_CPU = ["taskset", "-c", str(min(os.sched_getaffinity(0)))]


def kinds(report):
    return {verdict["kind"] for verdict in report["verdicts"]}


class Client(PgloadCase):
    def test_stopped_for_two_seconds(self):
        file = self.folder / "report.json"
        running = self.start(*RUN, "--sessions", "16", "--time", "6", "--report-interval", "1", "--strict", "--json", file,
                             *address(server())).started()
        running.signal(signal.SIGSTOP)
        time.sleep(2)  # what is tested
        running.signal(signal.SIGCONT)
        result = running.end()
        self.assertEqual(result.code, 4, result)
        report = json.loads(file.read_text())
        check = report["self_check"]
        self.assertEqual(check["method"], "kernel receive stamps")
        self.assertGreaterEqual(check["client_error_us"]["max"], 1.9e6)
        self.assertGreaterEqual(report["latency_us"]["service"]["max"], 1.9e6)
        self.assertGreaterEqual(max(worker["timer_lateness_us"]["max"] for worker in check["workers"]), 1.9e6)
        self.assertIn("client-bound", kinds(report))
        self.assertIn("client-bound: the client's own part is", result.out)
        self.assertRegex(result.out, r"max [12],\d{3} \(kernel receive stamps\)")

    def test_stopped_on_a_unix_socket(self):
        one = server()
        file = self.folder / "report.json"
        running = self.start(*RUN, "--sessions", "4", "--time", "5", "--report-interval", "1", "--json", file, "-h", one.folder,
                             "-p", str(one.port), "-U", "postgres", "-d", "postgres").started()
        running.signal(signal.SIGSTOP)
        time.sleep(2)  # what is tested
        running.signal(signal.SIGCONT)
        self.assertEqual(running.end().code, 0)
        report = json.loads(file.read_text())
        self.assertEqual(report["self_check"]["method"], "loop delay")
        self.assertGreaterEqual(report["self_check"]["client_error_us"]["max"], 1.9e6)
        self.assertIn("client-bound", kinds(report))

    def test_starved_of_cpu(self):
        hogs = [subprocess.Popen([*ON_ONE_CPU, sys.executable, "-c", "while True: pass"]) for _ in range(2)]
        try:
            report = self.run_load("--sessions", "16", "--time", "3", command=[*ON_ONE_CPU, os.environ["PGLOAD"]])
        finally:
            for hog in hogs:
                hog.kill()
                hog.wait()
        waited = max(worker["run_queue_wait_s"] for worker in report["self_check"]["workers"])
        self.assertGreater(waited / report["duration_s"], 0.1)
        self.assertIn("client-bound", kinds(report))

    @unittest.skipUnless(os.path.exists("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"), "needs libfaketime")
    def test_a_wall_clock_of_another_hour(self):
        # The kernel's stamps are of the true hour then, and no more to be compared.
        for shift in ("-1h", "+1h"):
            report = self.run_load("--sessions", "2", "--time", "1", env={
                "LD_PRELOAD": "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1", "FAKETIME": shift,
                "DONT_FAKE_MONOTONIC": "1"})
            self.assertEqual(report["self_check"]["method"], "loop delay")
            self.assertLess(report["self_check"]["client_error_us"]["max"], 1e6)
            self.assertAlmostEqual(report["duration_s"], 1, delta=0.2)


class Verdicts(PgloadCase):
    def test_too_few_samples_are_marked_and_matter_to_strict_only(self):
        report = self.run_load("--transactions", "500")
        self.assertIn("too-few-samples", kinds(report))
        self.assertIn("fewer than 10 transactions lie beyond p99, p99.9", self.last.out)
        self.assertRegex(self.last.out, r"\ntransaction .* ~[\d.]+ +~[\d.]+ +[\d.]+\n +~ fewer than 10 values lie beyond it\n")
        self.run_load("--transactions", "500", "--strict", code=4)
        enough = self.run_load("--transactions", "500", "--verdict-limits", "samples=0")
        self.assertNotIn("too-few-samples", kinds(enough))
        self.assertNotIn("~", self.last.out)

    def test_beside_its_own_server_a_busy_client_is_a_note(self):
        file = self.folder / "report.json"
        result = self.pgload("--ephemeral", *RUN, "--tables", "1", "--table-size", "1000", "--time", "1", "--percentiles", "50",
                             "--verdict-limits", "client-share=0", "--strict", "--json", file)
        report = json.loads(file.read_text())
        self.assertEqual(report["verdicts"], [])
        self.assertTrue(any("share the CPUs" in note for note in report["notes"]), report["notes"])
        self.assertRegex(result.out, r"verdict +valid")

    def test_a_limit_that_is_none(self):
        self.refused(*RUN, "--verdict-limits", "lags=1ms", says=("--verdict-limits", "client-share, lag,"))
        self.refused(*RUN, "--verdict-limits", "busy=120%", says=("busy", "share"))
        self.refused(*RUN, "--receive-stamps", "x", says="--receive-stamps")


if __name__ == "__main__":
    unittest.main()
