"""Results to keep: the document and its schema, interval series, written again, merged."""
import csv
import io
import json
import signal
import sys
import unittest
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "hdr"), str(TESTS / "support")]
from pgload_case import PgloadCase, address, server  # noqa: E402
from referee import read_histograms, read_log  # noqa: E402
from result_document import violations  # noqa: E402


def histograms_of(document):
    """Every latency object that has values."""
    if isinstance(document, list):
        return [found for item in document for found in histograms_of(item)]
    if not isinstance(document, dict):
        return []
    if document.get("hdr"):
        return [document]
    return [found for value in document.values() for found in histograms_of(value)]


class Document(PgloadCase):
    def test_it_keeps_to_the_schema_in_closed_and_open_loop_failed_and_stopped(self):
        self.assertEqual(violations(self.run_load()), [])
        open_loop = self.run_load("--rate", "500")
        self.assertEqual(open_loop["loop"], "open")
        self.assertEqual(violations(open_loop), [])
        failed = self.run_load("--statement-timeout", "1us", "--max-failed", "0", code=2)
        self.assertEqual(failed["outcome"]["status"], "failed")
        self.assertEqual(violations(failed), [])
        file = self.folder / "stopped.json"
        running = self.start("--workload", "oltp_point_select", "--time", "60", "-P", "1", "--json", file, *address(server()))
        self.assertEqual(running.started().signal(signal.SIGINT).end().code, 130)
        stopped = json.loads(file.read_text())
        self.assertEqual(stopped["outcome"]["status"], "stopped")
        self.assertEqual(violations(stopped), [])

    def test_the_java_library_reads_its_histograms_and_finds_the_same_percentiles(self):
        found = histograms_of(self.run_load("--sessions", "4", "--rate", "1000"))
        self.assertGreater(len(found), 6)
        for ours, (count, top, values) in zip(found, read_histograms([one["hdr"] for one in found], [50, 95, 99])):
            if "count" in ours:
                self.assertEqual(count, ours["count"])
            self.assertGreaterEqual(top, ours["max_ns"])
            for key, value in zip(("p50", "p95", "p99"), values):
                self.assertEqual(min(value, ours["max_ns"]) / 1000, ours[key])

    def test_report_writes_it_again_byte_for_byte_and_in_every_format(self):
        document = self.run_load("--percentiles", "50,99.5")
        file = self.folder / "report.json"
        self.assertEqual(self.pgload("report", file, "--format", "json").out, file.read_text())
        self.assertEqual(self.pgload("report", file).out, self.last.out)
        self.assertIn("p75", self.pgload("report", file, "--percentiles", "75").out)
        rows = list(csv.DictReader(io.StringIO(self.pgload("report", file, "--format", "csv").out)))
        self.assertEqual([int(row["completed"]) for row in rows], [one["completed"] for one in document["intervals"]])
        lines = self.pgload("report", file, "--format", "ndjson").out.splitlines()
        self.assertEqual([json.loads(line) for line in lines], document["intervals"])
        log = self.folder / "again.hlog"
        log.write_text(self.pgload("report", file, "--format", "hlog").out)
        self.assertEqual(sum(line["count"] for line in read_log(log)), document["latency_us"]["service"]["count"])

    def test_documents_that_cannot_be_read_are_refused_in_one_line(self):
        self.run_load()
        file = self.folder / "report.json"
        whole = file.read_text()
        for content, says in ((whole[: len(whole) // 2], "cut off"), ("hello", "not a JSON document"), ("{}", "not a result"),
                              (whole.replace("pgload.run/1", "pgload.run/7", 1), "use the pgload that wrote it"), ("", "cut off")):
            file.write_text(content)
            self.refused("report", file, says=(str(file), says))
            self.refused("merge", file, file, says=(str(file), says))
        self.refused("report", self.folder / "none.json", says="No such file")
        self.refused("report", says="which result")
        self.refused("report", file, "--format", "xml", says="one of these is wanted")
        self.refused("report", file, "--sessions", "3", says="--sessions does not go with `pgload report`")
        self.refused("merge", file, says="which results")
        self.refused_run("--format", "csv", says="--format goes with `pgload report` only")


class Series(PgloadCase):
    def test_files_grow_while_the_run_lasts_and_agree_with_the_document(self):
        files = {name: self.folder / f"run.{name}" for name in ("hlog", "ndjson", "csv")}
        arguments = [word for name, file in files.items() for word in (f"--{name}", file)]
        document = self.run_load("--time", "2200ms", "--sessions", "2", *arguments)
        lines = [json.loads(line) for line in files["ndjson"].read_text().splitlines()]
        self.assertEqual(len(lines), len(document["intervals"]))
        for line, interval in zip(lines, document["intervals"]):
            self.assertEqual(line["latency_us"], interval["latency_us"])
            self.assertEqual(line["completed"], interval["completed"])
        rows = list(csv.DictReader(files["csv"].read_text().splitlines()))
        self.assertEqual([int(row["completed"]) for row in rows], [line["completed"] for line in lines])
        log = read_log(files["hlog"])
        self.assertEqual({line["tag"] for line in log}, {"oltp_point_select.service"})
        self.assertEqual(sum(line["count"] for line in log), document["latency_us"]["service"]["count"])
        self.assertEqual(log[1]["start"] - log[0]["start"], 1000)

    def test_with_a_rate_response_times_have_a_tag_of_their_own(self):
        log = self.folder / "run.hlog"
        document = self.run_load("--rate", "500", "--hlog", log)
        lines = read_log(log)
        for measure in ("service", "response"):
            count = sum(line["count"] for line in lines if line["tag"] == f"oltp_point_select.{measure}")
            self.assertEqual(count, document["transactions"]["completed"])

    def test_a_killed_run_keeps_all_but_its_last_interval(self):
        file = self.folder / "run.ndjson"
        running = self.start("--workload", "oltp_point_select", "--time", "60", "-P", "1", "--ndjson", file, *address(server()))
        running.wait_for(r"^ *3\.0 s")  # the third second may still be on its way to the file
        running.signal(signal.SIGKILL).end()
        lines = [json.loads(line) for line in file.read_text().splitlines()]
        self.assertGreaterEqual(len(lines), 2)
        self.assertEqual([line["start_s"] for line in lines], list(range(len(lines))))

    def test_the_log_of_transactions_has_a_line_for_each(self):
        log = self.folder / "transactions.csv"
        document = self.run_load("--sessions", "3", "--rate", "800", "--log-transactions", log)
        rows = list(csv.DictReader(log.read_text().splitlines()))
        self.assertEqual(len(rows), document["transactions"]["started"])
        self.assertEqual({row["outcome"] for row in rows}, {"completed"})
        self.assertEqual({row["kind"] for row in rows}, {"oltp_point_select"})
        self.assertEqual({row["host"] for row in rows}, {document["hosts"][0]["name"]})
        self.assertTrue({row["session"] for row in rows} <= {"0", "1", "2"})
        self.assertEqual({row["window_began"] for row in rows}, {document["started_at"]})
        responses = [int(row["completion_ns"]) - int(row["arrival_ns"]) for row in rows]
        self.assertEqual(max(responses), document["latency_us"]["response"]["max_ns"])
        for row in rows:
            self.assertTrue(0 <= int(row["arrival_ns"]) <= int(row["dispatch_ns"]) < int(row["completion_ns"]))
        sampled = self.run_load("--log-transactions", log, "--sampling-rate", "10%")["transactions"]["started"]
        count = len(log.read_text().splitlines()) - 1
        self.assertTrue(0.1 * sampled - 6 * sampled ** 0.5 < count < 0.1 * sampled + 6 * sampled ** 0.5, (count, sampled))

    def test_the_log_of_transactions_refuses_what_makes_no_sense(self):
        for rate, says in (("0", "above 0 is wanted"), ("1.5", "a share is wanted"), ("-1", "a share is wanted")):
            self.refused_run("--log-transactions", "/dev/null", "--sampling-rate", rate, says=says)
        self.refused_run("--sampling-rate", "0.5", says="--sampling-rate goes with --log-transactions only")
        document = self.run_load("--log-transactions", "/dev/full")
        self.assertEqual(document["outcome"]["status"], "good")
        self.assertIn("cannot write /dev/full: No space left on device", document["notes"])

    def test_files_that_cannot_be_written_are_found_before_the_run(self):
        for name in ("hlog", "ndjson", "csv", "log-transactions"):
            self.refused_run(f"--{name}", "/nonexistent/file", says="cannot write /nonexistent/file: No such file")
            self.refused_run(f"--{name}", "-", says="a file's name is wanted")
        one = self.folder / "one"
        self.refused_run("--csv", one, "--ndjson", one, says="another option writes this file")

    def test_a_full_disk_costs_the_series_not_the_run(self):
        document = self.run_load("--csv", "/dev/full")
        self.assertEqual(document["outcome"]["status"], "good")
        self.assertIn("cannot write /dev/full: No space left on device", document["notes"])


class Merge(PgloadCase):
    def clients(self, *more, count=2):
        """Results of runs side by side."""
        files = [self.folder / f"client{i}.json" for i in range(count)]
        running = [self.start("--workload", "oltp_point_select", "--time", "1500ms", "--sessions", "2", "--json", file,
                              *address(server()), *more) for file in files]
        for one in running:
            self.assertEqual(one.end().code, 0)
        return files

    def test_two_clients_are_one_run(self):
        files = self.clients()
        parts = [json.loads(file.read_text()) for file in files]
        whole = self.folder / "whole.json"
        text = self.pgload("merge", *files, "--json", whole).out
        merged = json.loads(whole.read_text())
        self.assertEqual(violations(merged), [])
        for key in ("completed", "started", "arrivals", "completed_in_window"):
            self.assertEqual(merged["transactions"][key], sum(part["transactions"][key] for part in parts))
        self.assertEqual(merged["latency_us"]["service"]["max_ns"], max(part["latency_us"]["service"]["max_ns"] for part in parts))
        self.assertEqual(merged["sessions"]["open"], 4)
        self.assertEqual([one["latency_us"]["p99"] for one in merged["clients"]],
                         [part["latency_us"]["service"]["p99"] for part in parts])
        for file in files:
            self.assertIn(str(file), text)
        self.assertEqual(self.pgload("report", whole).out, text)

    def test_what_does_not_belong_together_is_refused(self):
        one, two = self.clients()
        self.refused("merge", one, one, says="they hold the same run")
        document = json.loads(two.read_text())
        document["protocol"] = "simple"
        two.write_text(json.dumps(document))
        self.refused("merge", one, two, says="the protocol differs (prepared, simple)")
        document.update(protocol="prepared", started_at="2001-01-01T00:00:00Z")
        two.write_text(json.dumps(document))
        self.refused("merge", one, two, says="windows do not overlap")
        self.refused("merge", one, two, "--json", "/nonexistent/whole.json", says="No such file")


if __name__ == "__main__":
    unittest.main()
