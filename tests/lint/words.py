#!/usr/bin/env python3
"""Words that must not stay in the tree, and files that have grown too long."""
import re
import sys
from pathlib import Path

from source import report, root_argument

FORBIDDEN = [
    (re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b"), "unfinished work: do it or leave it out"),
    (
        re.compile(r"\b(registry\.np" r"mjs\.org|pypi\.o" r"rg|files\.pythonhosted\.o" r"rg|deb\.deb" r"ian\.org"
                   r"|security\.deb" r"ian\.org|proxy\.gol" r"ang\.org|index\.crates\.i" r"o)\b"),
        "host of a package registry: a machine's own settings name it",
    ),
]
WARN_LINES, MAX_LINES = 400, 450
TEXT = {".hpp", ".cpp", ".py", ".sh", ".md", ".build", ".txt", ".wrap", ".yml", ".lua", ".sql", ""}
SKIP = {"build", "subprojects", ".git", "__pycache__", "corpus"}


def text_files(root):
    for path in sorted(Path(root).rglob("*")):
        inside = path.relative_to(root).parts
        if not SKIP.intersection(inside) and path.is_file() and path.suffix in TEXT:
            yield path


def check_text(name, text):
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        for pattern, why in FORBIDDEN:
            if pattern.search(line):
                yield f"{name}:{number}: {pattern.search(line).group(0)}: {why}"
    if Path(name).suffix in {".hpp", ".cpp", ".py"} and len(lines) > MAX_LINES:
        yield f"{name}:{MAX_LINES}: {len(lines)} lines: one idea a file, at most {WARN_LINES} lines"
    elif Path(name).suffix in {".hpp", ".cpp", ".py"} and len(lines) > WARN_LINES:
        print(f"note: {name} has {len(lines)} lines, more than {WARN_LINES}")


def check(root):
    for path in text_files(root):
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue  # a binary without suffix
        yield from check_text(str(path.relative_to(root)), text)


if __name__ == "__main__":
    sys.exit(report(check(root_argument())))
