"""HdrHistogram's Java library as a referee: what it reads out of pgload's histograms and logs."""
import subprocess
from pathlib import Path

COMMAND = ["java", "-XX:TieredStopAtLevel=1", "-cp", "/usr/share/java/hdrhistogram.jar",
           str(Path(__file__).with_name("HdrReferee.java"))]


def _ask(*arguments, text=""):
    answer = subprocess.run([*COMMAND, *arguments], input=text, capture_output=True, text=True, timeout=120)
    if answer.returncode != 0:
        raise AssertionError(answer.stderr)
    return [line.split() for line in answer.stdout.splitlines()]


def read_histograms(histograms, percentiles):
    """For each base64: (count, max, values at the percentiles), in ns."""
    asked = "".join(f"{one} {' '.join(map(str, percentiles))}\n" for one in histograms)
    return [(int(count), int(top), [int(value) for value in values])
            for count, top, *values in _ask("histograms", text=asked)]


def read_log(file):
    """For each line of the log: a dict; times in ms, values in ns."""
    return [{"tag": tag, "start": int(start), "end": int(end), "count": int(count), "max": int(top), "p50": int(p50),
             "p99": int(p99)} for tag, start, end, count, top, p50, p99 in _ask("log", str(file))]
