#!/usr/bin/env python3
"""usage: summary.py FAILED_STEPS BUILD_FOLDER...   the counts of all tests that ran in these folders, in one line.
FAILED_STEPS: names of what failed before or around them, or empty. Exit code 1 if anything failed, or nothing ran."""
import json
import re
import sys
from collections import Counter
from pathlib import Path

DOCTEST = re.compile(r"\[doctest\] test cases:\s*\d+ \|\s*(\d+) passed \|\s*(\d+) failed")
UNITTEST = re.compile(r"^Ran (\d+) tests? in", re.M)
UNITTEST_FAILED = re.compile(r"^FAILED \((.*)\)", re.M)


def cases(entry):
    """(passed, failed) test cases of one meson test; a test that reports none counts as one."""
    output = entry.get("stdout", "") + entry.get("stderr", "")
    passed = failed = 0
    for found in DOCTEST.finditer(output):
        passed += int(found.group(1))
        failed += int(found.group(2))
    for found in UNITTEST.finditer(output):
        passed += int(found.group(1))
    for found in UNITTEST_FAILED.finditer(output):
        bad = sum(int(n) for n in re.findall(r"(?:failures|errors)=(\d+)", found.group(1)))
        passed, failed = passed - bad, failed + bad
    good = entry["result"] in ("OK", "SKIP", "EXPECTEDFAIL")
    if good:
        return (passed or 1), 0
    return passed, max(failed, 1)


def main(failed_steps, *folders):
    done, failed = Counter(), Counter()
    for folder in map(Path, folders):
        log = folder / "meson-logs" / "testlog.json"
        for line in log.read_text().splitlines() if log.is_file() else []:
            entry = json.loads(line)
            suite = entry["name"].split(" / ")[0].split(":")[-1]  # "pgload:unit / unit_wire"
            name = suite if folder.name == "debug" else f"{folder.name} {suite}"
            passed, bad = cases(entry)
            done[name] += passed
            failed[name] += bad
        results = folder / "results"
        for line in results.read_text().splitlines() if results.is_file() else []:
            (done if line.startswith("ok") else failed)["fuzz"] += 1
    counts = ", ".join(f"{name} {done[name]}" for name in done | failed)
    bad = ", ".join([f"{name} {count}" for name, count in failed.items() if count] + [failed_steps] * bool(failed_steps))
    print(f"{counts or 'nothing ran'}: " + (f"FAILED: {bad}" if bad else "all passed" if counts else "FAILED"))
    return 1 if bad or not counts else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
