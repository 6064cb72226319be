#!/usr/bin/env python3
"""A lint that can't fail proves nothing: each is shown bad examples here, and good ones beside them."""
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

import coroutine_rules
import format as format_lint
import headers
import layering
import tidy
import words


class CoroutineRules(unittest.TestCase):
    BAD = [
        "if (co_await f()) co_return 1;",
        "while (co_await f()) { g(); }",
        "do { g(); } while (co_await f());",
        "switch (co_await f()) { case 1: break; }",
        "if (const auto r = co_await f(); r) g();",
        "for (; co_await f();) g();",
        "co_await g(Opts{1});",
        "co_await g({1, 2});",
        "const auto r = co_await g({.host = name});",
        "co_await co_spawn(ex, [s] { return 1; }, token);",
        "co_await apply([n]() -> int { return n; });",
        "co_await apply(1, [this, n](int) { return n; });",
        "auto x = c ? co_await a() : co_await b();",
        "auto x = co_await a(c ? 1 : 2);",
        "Agg x{co_await a(), co_await b()};",
        "g(co_await f());",
        "CHECK(co_await f());",
        "const bool b = (co_await f()).ok();",
        "const bool b = !co_await f();",
        "const auto n = 1 + co_await f();",
        "if (a) { h(); } else g(co_await f());",
        "auto task = [&]() -> awaitable<void> { g(co_await f()); };",
        "spawn([&]() -> awaitable<void> { if (co_await f()) g(); });",
        "case 1: g(co_await f());",
        "total += co_await f();",
    ]
    GOOD = [
        "const auto r = co_await f(a, 1, \"{?}\");",
        "co_await f();",
        "co_return co_await f(std::move(name));",
        "const auto [error, n] = co_await f();",
        "error_ = co_await f();",
        "results[i] = co_await f(items[i]);",
        "if (a) co_await f();",
        "if (a[0]) { co_await f(); } else { co_await g(); }",
        "for (const auto& x : list) co_await f(x);",
        "for (const auto& x : co_await f()) g(x);",
        "while (!done()) { const auto r = co_await f(); if (r) break; }",
        "spawn([&, x]() -> awaitable<void> { co_await f(); });",
        "auto task = [n]() mutable -> awaitable<void> { const auto r = co_await f(n); co_return; };",
        "co_await apply([&] { g(); });",
        "(void)co_await f();",
        "const auto x = c ? a : b; co_await f(x);",
        "Agg agg{1, 2}; co_await f(agg);",
        "case 1: co_await f(); break;",
        "// if (co_await f())\n/* g(co_await f()); */",
        "const char* text = R\"(if (co_await f()))\";",
    ]

    @staticmethod
    def problems(body):
        return list(coroutine_rules.check_text("asio::awaitable<void> session(int a) {\n" + body + "\n}\n"))

    def test_bad(self):
        for body in self.BAD:
            with self.subTest(body):
                self.assertTrue(self.problems(body))

    def test_good(self):
        for body in self.GOOD:
            with self.subTest(body):
                self.assertEqual(self.problems(body), [])

    def test_line(self):
        self.assertEqual([line for line, _ in self.problems("a();\n\nif (co_await f()) b();")], [4])


class Layering(unittest.TestCase):
    BAD = [
        ("proto_pg/wire/a.cpp", '"', "proto_pg/client/stream.hpp"),
        ("proto_pg/wire/a.cpp", "<", "chrono"),
        ("proto_pg/wire/a.cpp", "<", "sys/socket.h"),
        ("proto_pg/wire/a.cpp", "<", "boost/asio/awaitable.hpp"),
        ("proto_pg/client/a.cpp", '"', "workloads/api/session.hpp"),
        ("proto_pg/client/a.cpp", "<", "boost/asio.hpp"),
        ("workloads/random/a.cpp", '"', "proto_pg/wire/errc.hpp"),
        ("workloads/ycsb/a.cpp", '"', "workloads/sysbench/tables.hpp"),
        ("workloads/sysbench/a.cpp", '"', "src/stats/run_result.hpp"),
        ("src/stats/a.cpp", '"', "proto_pg/wire/errc.hpp"),
        ("src/report/a.cpp", '"', "src/engine/run_plan.hpp"),
        ("src/engine/a.cpp", '"', "workloads/sysbench/tables.hpp"),
        ("src/engine/a.cpp", '"', "src/report/json.hpp"),
        ("src/data/a.cpp", '"', "src/engine/run_plan.hpp"),
        ("src/engine/a.cpp", "<", "CLI/CLI.hpp"),
        ("src/engine/a.cpp", '"', "src/cli/flags.hpp"),
        ("src/stats/a.cpp", "<", "boost/asio/awaitable.hpp"),
        ("src/cli/a.cpp", '"', "tests/support/scratch_folder.hpp"),
    ]
    GOOD = [
        ("proto_pg/wire/a.cpp", "<", "openssl/evp.h"),
        ("proto_pg/client/a.cpp", '"', "proto_pg/wire/errc.hpp"),
        ("workloads/sysbench/a.cpp", '"', "workloads/api/session.hpp"),
        ("src/engine/a.cpp", '"', "workloads/api/session.hpp"),
        ("src/report/a.cpp", '"', "src/stats/run_result.hpp"),
        ("src/cli/a.cpp", "<", "CLI/CLI.hpp"),
        ("src/main.cpp", '"', "src/cli/main.hpp"),
        ("tests/unit/wire/a.cpp", '"', "proto_pg/wire/errc.hpp"),
    ]

    def test_bad(self):
        for include in self.BAD:
            with self.subTest(include):
                self.assertIsNotNone(layering.check_include(*include))

    def test_good(self):
        for include in self.GOOD:
            with self.subTest(include):
                self.assertIsNone(layering.check_include(*include))


class Words(unittest.TestCase):
    def test_bad(self):
        for text in ["// TO" + "DO later", "FIX" + "ME", "wget https://pypi.o" + "rg/x", "x\n" * 451]:
            with self.subTest(text[:20]):
                self.assertTrue(list(words.check_text("a.cpp", text)))

    def test_good(self):
        self.assertEqual(list(words.check_text("a.cpp", "// what it does\n" * 300)), [])


class WithFiles(unittest.TestCase):
    """Lints that ask a tool, in a folder of their own."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        (self.root / "src").mkdir()
        (self.root / ".clang-format").write_text("BasedOnStyle: Google\n")
        self.addCleanup(self.folder.cleanup)

    def write(self, name, text):
        (self.root / "src" / name).write_text(text)
        return self.root / "src" / name

    def test_format(self):
        good, bad = self.write("good.cpp", "int f() { return 1; }\n"), self.write("bad.cpp", "int f( ){return 1;}\n")
        self.assertEqual(list(format_lint.check([good], self.root)), [])
        self.assertTrue(list(format_lint.check([bad], self.root)))

    def test_headers(self):
        self.write("good.hpp", "#pragma once\n#include <string>\nstd::string f();\n")
        self.assertEqual(list(headers.check(self.root)), [])
        self.write("bad.hpp", "#pragma once\nstd::string g();\n")
        self.assertTrue(list(headers.check(self.root)))

    @unittest.skipUnless(shutil.which(tidy.TOOL), "clang-tidy is only for ./dev lint")
    def test_tidy(self):
        (self.root / ".clang-tidy").write_text((Path(__file__).resolve().parents[2] / ".clang-tidy").read_text())
        good = self.write("good.cpp", "int f(int a) { return a; }\n")
        bad = self.write("bad.cpp", "bool f(int a) { return a == a; }\n")
        self.assertEqual(tidy.check_file(good, self.root), [])
        self.assertTrue(tidy.check_file(bad, self.root))

    def test_a_path_not_from_the_root(self):
        self.write("good.hpp", "#pragma once\n")
        self.write("bad.cpp", '#include "good.hpp"\n')
        self.assertTrue(list(layering.check(self.root)))


if __name__ == "__main__":
    sys.exit(unittest.main())
