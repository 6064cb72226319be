"""YCSB's workloads against a real server: its keys and statements, what is inserted and what is found again."""
import json
import unittest

from pgload_case import PgloadCase, address, server

LETTERS = "abcdef"


class Ycsb(PgloadCase):
    def setUp(self):
        super().setUp()
        self.one = server()
        self.at = address(self.one)
        self.pgload("cleanup", "--workload", "ycsb", *self.at)

    def sql(self, text):
        return self.one.sql(text).strip()

    def prepare(self, *more):
        return self.pgload("prepare", "--workload", "ycsb-a", *more, *self.at)

    def measured(self, letter, *more):
        result = self.pgload("--workload", f"ycsb-{letter}", "--sessions", "4", "--time", "1s", "--json", "-", *more, *self.at)
        report = json.loads(result.out)
        self.assertEqual(report["transactions"]["failed"], 0, report["errors"])
        self.assertEqual(report["transactions"]["unexpected"], 0, result.err)
        return report

    def test_a_database_of_ycsb_s_keys(self):
        self.prepare("--recordcount", "1000")
        keys = ("user6284781860667377211", "user8517097267634966620", "user2071219101098386137")
        for key in keys:
            self.assertEqual(self.sql(f"select count(*) from usertable where ycsb_key = '{key}'"), "1")
        self.assertEqual(self.sql("select count(*) from usertable"), "1000")
        self.assertEqual(self.sql("select distinct length(field9) from usertable"), "100")

    def test_every_letter_runs_on_it(self):
        self.prepare("--recordcount", "2000")
        for letter in LETTERS:
            report = self.measured(letter)
            self.assertGreater(report["transactions"]["completed"], 100)
        report = self.measured("f", "--rmw-transaction", "on")
        self.assertEqual({kind["name"] for kind in report["kinds"]}, {"READ", "READ-MODIFY-WRITE"})

    def test_inserts_go_on_where_the_last_run_ended(self):
        self.prepare()
        self.measured("d")
        grown = int(self.sql("select count(*) from usertable"))
        self.assertGreater(grown, 1000)
        report = self.measured("d")
        self.assertGreater(int(report["workload"]["options"]["recordcount"]), 1000)
        self.assertGreater(int(self.sql("select count(*) from usertable")), grown)

    def test_the_mix_is_that_of_the_letter(self):
        self.prepare()
        kinds = {kind["name"]: kind["count"] for kind in self.measured("b", "--transactions", "20000", "--time", "60")["kinds"]}
        share = kinds["UPDATE"] / sum(kinds.values())
        self.assertAlmostEqual(share, 0.05, delta=0.006)

    def test_two_clients_load_one_table(self):
        self.prepare("--recordcount", "500", "--insertcount", "300")
        self.pgload("prepare", "--workload", "ycsb-a", "--recordcount", "500", "--insertstart", "300", "--resume", *self.at)
        self.assertEqual(self.sql("select count(*) from usertable"), "500")
        self.measured("c", "--recordcount", "500")

    def test_a_load_that_was_cut_off_is_completed(self):
        self.prepare("--recordcount", "800")
        self.sql("delete from usertable where ycsb_key > 'user5'")
        self.refused("prepare", "--workload", "ycsb-a", "--recordcount", "800", *self.at, says="--resume")
        self.prepare("--recordcount", "800", "--resume")
        self.assertEqual(self.sql("select count(*) from usertable"), "800")

    def test_a_read_that_finds_nothing_is_unexpected(self):
        self.prepare()
        self.sql("delete from usertable where ycsb_key = 'user1573987489603120213'")  # the most frequent one
        result = self.pgload("--workload", "ycsb-c", "--time", "1s", "--json", "-", "--max-failed", "1", *self.at)
        report = json.loads(result.out)
        self.assertGreater(report["transactions"]["unexpected"], 0)

    def test_bad_input(self):
        self.refused("--workload", "ycsb-c", "--recordcount", "0", *self.at, says="recordcount")
        self.refused("--workload", "ycsb-d", "--pipeline", "4", *self.at, says="share a write")
        self.refused("--workload", "ycsb-c", *self.at, says="pgload prepare")
        self.refused("--workload", "ycsb-c", "--requestdistribution", "zipf", *self.at, says="zipfian")


if __name__ == "__main__":
    unittest.main()
