#!/usr/bin/env python3
"""The C++ files are as clang-format 19 leaves them (`./dev fmt` does it)."""
import subprocess
import sys

from source import code_files, report, root_argument

TOOL = "clang-format-19"


def check(files, style_folder):
    """clang-format finds .clang-format upwards from the file; `style_folder` is where it runs."""
    run = subprocess.run(
        [TOOL, "--dry-run", "--Werror", "--ferror-limit=1", *map(str, files)],
        cwd=style_folder, capture_output=True, text=True, check=False,
    )
    for line in run.stderr.splitlines():
        if "error:" in line:
            yield line + " (./dev fmt)"
    if run.returncode and "error:" not in run.stderr:
        yield f"{TOOL}: {run.stderr.strip()}"


if __name__ == "__main__":
    root = root_argument()
    sys.exit(report(check(list(code_files(root)), root)))
