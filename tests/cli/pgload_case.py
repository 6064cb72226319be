"""What the command line tests share: running pgload as a user does, and one server with prepared tables."""
import atexit
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from postgres import Postgres  # noqa: E402

PGLOAD = os.environ["PGLOAD"]
SECRET = "s3cr3t-Pa55"
ROWS = 1000
LIMIT_S = 90


def environment(**more):
    """No PG* setting and no home of whoever runs the tests."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PG") and key != "NO_COLOR"}
    return {**clean, "HOME": "/nonexistent", "LC_ALL": "C.UTF-8", **more}


_servers = {}


def server(**settings):
    """A server with these settings, made at first use, with oltp tables prepared by pgload itself."""
    key = json.dumps(settings, sort_keys=True)
    if key not in _servers:
        one = _servers[key] = Postgres(**settings)
        atexit.register(one.close)
        subprocess.run([PGLOAD, "prepare", "--workload", "oltp_point_select", "--tables", "2", "--table-size",
                        str(ROWS), *address(one)], env=environment(), check=True, capture_output=True, timeout=LIMIT_S)
    return _servers[key]


def address(one, user="postgres"):
    return ["-h", "127.0.0.1", "-p", str(one.port), "-U", user, "-d", "postgres"]


class Running:
    """A pgload that runs beside the test."""

    def __init__(self, *arguments, command=(PGLOAD,), **more):
        self.process = subprocess.Popen([*command, *map(str, arguments)], stdout=more.pop("stdout", subprocess.PIPE),
                                        stderr=subprocess.PIPE, text=True, env=environment(**more.pop("env", {})), **more)
        self.seen = ""

    def wait_for(self, pattern):
        """Reads stderr until a line matches."""
        for line in self.process.stderr:
            self.seen += line
            if re.search(pattern, line):
                return line
        raise AssertionError(f"ended before {pattern!r}: {self.seen}")

    def started(self):
        """The measured run is under way: its first progress line is there."""
        self.wait_for(r"\b(tps|arrived)\b")
        return self

    def signal(self, number):
        self.process.send_signal(number)
        return self

    def end(self, limit=LIMIT_S):
        try:
            out, err = self.process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        return Result(self.process.returncode, out or "", self.seen + (err or ""))


class Result:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def __repr__(self):
        return f"exit {self.code}\n--- stdout\n{self.out}\n--- stderr\n{self.err}"


class PgloadCase(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="pgload-cli-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def start(self, *arguments, **more):
        running = Running(*arguments, **more)

        def end():
            if running.process.poll() is None:
                running.process.kill()
            running.process.wait()
            for stream in (running.process.stdout, running.process.stderr):
                if stream:
                    stream.close()

        self.addCleanup(end)
        return running

    def pgload(self, *arguments, code=0, **more):
        result = self.start(*arguments, **more).end()
        self.assertEqual(result.code, code, result)
        self.assertNotIn(SECRET, result.out + result.err)
        return result

    def run_load(self, *arguments, code=0, on=None, **more):
        """A run against the shared server; its JSON document."""
        file = self.folder / "report.json"
        self.last = self.pgload("--workload", "oltp_point_select", "--time", "300ms", "--json", file,
                                *address(on or server()), *arguments, code=code, **more)
        return json.loads(file.read_text())

    def refused(self, *arguments, says=(), **more):
        """Exit 1, one or two plain lines on stderr that contain `says`, nothing on stdout."""
        result = self.pgload(*arguments, code=1, **more)
        lines = result.err.strip().splitlines()
        self.assertTrue(1 <= len(lines) <= 2, result)
        self.assertEqual(result.out, "", result)
        self.assertNotIn("terminate called", result.err)
        self.assertNotIn("\x1b", result.err)
        for word in [says] if isinstance(says, str) else says:
            self.assertIn(word, result.err)
        return result

    def refused_run(self, *arguments, says=(), on=None, **more):
        return self.refused("--workload", "oltp_point_select", "--time", "300ms", *address(on or server()), *arguments,
                            says=says, **more)


SIGINT, SIGTERM, SIGHUP = signal.SIGINT, signal.SIGTERM, signal.SIGHUP
