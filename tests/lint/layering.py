#!/usr/bin/env python3
"""Reads the #include lines and fails on any edge between floors that the house does not have."""
import re
import sys

from source import code_files, report, root_argument

PROTO = ["proto_pg/wire", "proto_pg/client"]
WORKLOAD_API = ["workloads/api", "workloads/random"]

# Floor -> floors it may include besides itself. A workload family is found by the "workloads/*" line.
EDGES = {
    "proto_pg/wire": [],
    "proto_pg/client": ["proto_pg/wire"],
    "workloads/random": [],
    "workloads/api": [*PROTO, "workloads/random"],
    "workloads/*": [*PROTO, *WORKLOAD_API],
    "workloads": [*WORKLOAD_API, "workloads/*"],
    "src/stats": [],
    "src/report": ["src/stats"],
    "src/server": [],
    "src/data": [*PROTO, *WORKLOAD_API],
    "src/engine": [*PROTO, *WORKLOAD_API, "src/stats"],
    "src/monitor": [*PROTO, "src/stats"],
    "src/cli": ["*"],
    "src": ["*"],
}

# Headers from outside -> the floors that may see them.
OUTSIDE = [
    (r"CLI/", ["src/cli"]),
    (r"nlohmann/", ["src/report", "src/cli"]),
    (r"boost/", ["proto_pg/client", "workloads/api", "workloads/*", "src/data", "src/engine", "src/monitor", "src/cli"]),
    (r"openssl/", PROTO),
    (r"fmt/", ["proto_pg/client", "workloads/*", "src/*"]),
]
# The wire floor has no socket, no clock, no thread.
WIRE_NEVER = re.compile(
    r"sys/(socket|epoll|time|un)\.h|netinet/|arpa/|netdb\.h|unistd\.h|poll\.h|time\.h|ctime|chrono|thread|mutex"
    r"|shared_mutex|condition_variable|future|atomic|pthread\.h|fmt/|boost/"
)
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def floor_of(path):
    parts = path.split("/")
    if parts[0] == "tests":
        return "tests"
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def _matches(floor, patterns):
    family = floor.startswith("workloads/") and floor not in WORKLOAD_API
    return (
        "*" in patterns
        or floor in patterns
        or (family and "workloads/*" in patterns)
        or (floor.startswith("src/") and "src/*" in patterns)
    )


def _allowed_floors(floor):
    if floor in EDGES:
        return EDGES[floor]
    return EDGES["workloads/*"] if floor.startswith("workloads/") else []


def check_include(path, quote, name):
    """None, or what is wrong with this #include in the file `path`."""
    floor = floor_of(path)
    if name == "boost/asio.hpp":
        return "<boost/asio.hpp> includes all of Asio: name the headers that are used"
    if floor == "tests":
        return None
    if quote == "<":
        if floor == "proto_pg/wire" and WIRE_NEVER.match(name):
            return f"proto_pg/wire knows no socket, clock, thread or Asio: <{name}>"
        for pattern, floors in OUTSIDE:
            if re.match(pattern, name) and not _matches(floor, floors):
                return f"{floor} must not see <{name}>"
        return None
    target = floor_of(name)
    if target == "tests":
        return f'the product must not include its tests ("{name}")'
    if target == floor or _matches(target, _allowed_floors(floor)):
        return None
    return f'{floor} must not include {target} ("{name}")'


def check(root):
    for file in code_files(root):
        path = file.relative_to(root).as_posix()
        for number, line in enumerate(file.read_text().splitlines(), 1):
            found = INCLUDE.match(line)
            if not found:
                continue
            problem = check_include(path, *found.groups())
            if problem:
                yield f"{path}:{number}: {problem}"
            elif found.group(1) == '"' and not (root / found.group(2)).is_file():
                yield f'{path}:{number}: "{found.group(2)}" is not a path from the repository root'


if __name__ == "__main__":
    sys.exit(report(check(root_argument())))
