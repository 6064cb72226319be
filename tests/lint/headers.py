#!/usr/bin/env python3
"""Every header compiles alone. A header whose .cpp includes it first is proven by the build; the others are
compiled here."""
import concurrent.futures
import os
import re
import shlex
import subprocess
import sys

from source import code_files, report, root_argument

FLAGS = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-I.", "-DBOOST_ASIO_NO_DEPRECATED",
         "-DBOOST_ASIO_RECYCLING_ALLOCATOR_CACHE_SIZE=8", "-x", "c++"]


def proven_by_its_source(header, root):
    source = header.with_suffix(".cpp")
    if not source.is_file():
        return False
    first = re.search(r'^\s*#\s*include\s*[<"]([^>"]+)', source.read_text(), re.M)
    return bool(first) and first.group(1) == header.relative_to(root).as_posix()


def compile_alone(header, root):
    compiler = shlex.split(os.environ.get("CXX", "g++"))
    include = f'#include "{header.relative_to(root).as_posix()}"\n'
    run = subprocess.run([*compiler, *FLAGS, "-"], input=include, cwd=root, capture_output=True, text=True, check=False)
    if run.returncode == 0:
        return None
    first = next((line for line in run.stderr.splitlines() if "error:" in line), run.stderr.strip())
    return f"{header.relative_to(root)}:1: does not compile alone: {first}"


def check(root):
    headers = [h for h in code_files(root, suffixes=(".hpp",)) if not proven_by_its_source(h, root)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from filter(None, pool.map(lambda header: compile_alone(header, root), headers))


if __name__ == "__main__":
    sys.exit(report(check(root_argument())))
