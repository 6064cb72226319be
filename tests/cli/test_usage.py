"""What needs no server: help, versions, and everything that is wrong before anything is opened. T7, T15, T27."""
import socket
import unittest

from pgload_case import SECRET, PgloadCase

RUN = ("--workload", "oltp_point_select", "--time", "1s")


class Help(PgloadCase):
    def test_version(self):
        for flag in ("--version", "-V"):
            self.assertRegex(self.pgload(flag).out, r"^pgload \d+\.\d+\.\d+")

    def test_help(self):
        for flag in ("--help", "-?"):
            out = self.pgload(flag).out
            for word in ("--workload", "--sessions", "--time", "--ephemeral", "--json", "prepare", "cleanup", "list"):
                self.assertIn(word, out)

    def test_list_has_a_line_each(self):
        lines = self.pgload("list").out.splitlines()
        self.assertTrue(any(line.split()[:1] == ["oltp_point_select"] for line in lines), lines)

    def test_help_of_a_workload(self):
        out = self.pgload("help", "oltp_point_select").out
        for word in ("--tables", "--table-size", "SELECT c FROM sbtest"):
            self.assertIn(word, out)

    def test_help_of_an_unknown_workload(self):
        self.refused("help", "oltp_point_selekt", says="oltp_point_select")


class BadUsage(PgloadCase):
    def test_unknown_option_with_the_nearest_name(self):
        self.refused(*RUN, "--sesions", "3", says=("--sesions", "--sessions"))
        self.refused(*RUN, "--table-sizes", "3", says=("--table-sizes", "--table-size"))

    def test_unknown_workload_with_the_nearest_name(self):
        self.refused("--workload", "oltp_point_selct", says=("oltp_point_selct", "oltp_point_select"))

    def test_no_workload(self):
        self.refused("--time", "1s", says="--workload")

    def test_unknown_command(self):
        self.refused("prepair", *RUN, says="prepair")

    def test_values_out_of_range_or_with_junk(self):
        for option, value in [
            ("--time", "10q"), ("--time", "abc"), ("--time", ""), ("--time", "1m30"), ("--time", "-1s"),
            ("--sessions", "1x"), ("--sessions", "0"), ("--sessions", "-1"), ("--sessions", "1.5"), ("--sessions", "99999999999999999999"),
            ("--io-threads", "0"), ("--pipeline", "0"), ("--transactions", "0"), ("--percentiles", "101"),
            ("--percentiles", "x"), ("--percentiles", "-1"), ("--protocol", "magic"), ("--max-failed", "x"),
            ("--table-size", "0"), ("--tables", "0"), ("--table-size", "10kk"), ("--seed", "x"), ("-p", "70000"),
            ("--report-interval", "-1s"), ("--statement-timeout", "soon"),
        ]:
            with self.subTest(f"{option} {value}"):
                self.refused(*RUN, option, value, says=option if option.startswith("--") else "port")

    def test_an_option_of_pgbench_that_means_something_else(self):
        self.refused(*RUN, "-t", "100", says="--transactions")

    def test_threads_and_clients_are_answered_with_a_question(self):
        for option in ("--threads", "--clients"):
            self.refused(*RUN, option, "8", says=("--sessions", "--io-threads", "?"))

    def test_contradictions(self):
        self.refused(*RUN, "--ephemeral", "-h", "127.0.0.1", says="--ephemeral")
        self.refused(*RUN, "--ephemeral", "-d", "postgresql://db1/x", says="--ephemeral")
        self.refused(*RUN, "--sessions", "2", "--min-sessions", "3", says="--min-sessions")

    def test_conninfo_that_libpq_refuses(self):
        for text in (f"postgresql://u:{SECRET}%zz@h/d", f"password={SECRET} nonsense=1", f"password='{SECRET}",
                     "host=a,b port=1,2,3", "sslmode=maybe"):
            with self.subTest(text):
                self.refused(*RUN, "-d", text)

    def test_parameters_of_libpq_that_are_not_supported_are_named(self):
        self.refused(*RUN, "-d", "dbname=x target_session_attrs=read-write", says="target_session_attrs")

    def test_unreadable_certificates(self):
        self.refused(*RUN, "-h", "127.0.0.1", "-d", "sslmode=verify-full sslrootcert=/nonexistent/root.crt",
                     says="/nonexistent/root.crt")
        bad = self.folder / "bad.crt"
        bad.write_text("no certificate")
        self.refused(*RUN, "-h", "127.0.0.1", "-d", f"sslmode=verify-ca sslrootcert={bad}", says=str(bad))

    def test_config_file_that_is_not_there_or_says_nonsense(self):
        self.refused(*RUN, "--config", "/nonexistent/pgload.conf", says="/nonexistent/pgload.conf")
        config = self.folder / "bad.conf"
        config.write_text("sesions=3\n")
        self.refused(*RUN, "--config", config, says="sesions")


class Unreachable(PgloadCase):
    def test_output_that_can_not_be_written_is_found_before_the_run(self):
        self.refused(*RUN, "--json", "/nonexistent/report.json", says="/nonexistent")
        self.refused(*RUN, "--json", self.folder, says=str(self.folder))

    def test_unknown_host(self):
        self.refused(*RUN, "-h", "no-such-host.invalid", says="no-such-host.invalid")

    def test_closed_port(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))  # not listening: refused
            port = taken.getsockname()[1]
            self.refused(*RUN, "-h", "127.0.0.1", "-p", str(port), "--sessions", "50", says=f"127.0.0.1:{port}")

    def test_no_unix_socket(self):
        self.refused(*RUN, "-h", "/nonexistent", says="/nonexistent")

    def test_no_binaries_for_the_throwaway_server(self):
        self.refused(*RUN, "--ephemeral", "--pg-bindir", self.folder, says=str(self.folder))


if __name__ == "__main__":
    unittest.main()
