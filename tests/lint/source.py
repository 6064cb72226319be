"""What every lint needs: the project's files, and C++ text without comments and literals."""
import re
import sys
from pathlib import Path

CODE_FOLDERS = ("proto_pg", "workloads", "src", "tests")


def code_files(root, folders=CODE_FOLDERS, suffixes=(".hpp", ".cpp")):
    for folder in folders:
        yield from sorted(p for p in (Path(root) / folder).rglob("*") if p.suffix in suffixes)


_LITERAL_OR_COMMENT = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<delimiter>[^()\s]*)\(.*?\)(?P=delimiter)"|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'",
    re.DOTALL,
)


def strip(text):
    """Comments become blanks and literals empty ones; every line keeps its number."""

    def blank(match):
        token = match.group(0)
        lines = "\n" * token.count("\n")
        return ('""' if token[-1] == '"' else "0" if token[-1] == "'" else " ") + lines

    return _LITERAL_OR_COMMENT.sub(blank, text)


def report(problems):
    """Prints "file:line: text" lines; the exit code."""
    problems = list(problems)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


def root_argument():
    return Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]
