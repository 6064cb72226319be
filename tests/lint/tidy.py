#!/usr/bin/env python3
"""clang-tidy over the floors that do without Asio: seconds there, minutes elsewhere. Part of `./dev lint` only."""
import concurrent.futures
import os
import subprocess
import sys

from source import code_files, report, root_argument

TOOL = "clang-tidy-19"
FLOORS = ("proto_pg/wire", "workloads/random", "src/stats", "src/report")


def check_file(file, root):
    run = subprocess.run([TOOL, "--quiet", str(file), "--", "-std=c++20", "-I."], cwd=root, capture_output=True, text=True,
                         check=False)
    return [line.replace(f"{root}/", "") for line in run.stdout.splitlines() if "error:" in line or "warning:" in line]


def check(root):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for problems in pool.map(lambda file: check_file(file, root), code_files(root, FLOORS, (".cpp",))):
            yield from problems


if __name__ == "__main__":
    sys.exit(report(check(root_argument())))
