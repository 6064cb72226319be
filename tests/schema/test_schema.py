"""The documents of the report's unit tests keep to the JSON Schema, and it forbids what it should."""
import copy
import json
import sys
import unittest
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "support"))
from result_document import violations  # noqa: E402

DOCUMENTS = {file.name: json.loads(file.read_text()) for file in (TESTS / "unit/report/golden").glob("*.json")}


class Schema(unittest.TestCase):
    def test_every_sort_of_run_keeps_to_it(self):
        self.assertGreaterEqual(len(DOCUMENTS), 4)
        self.assertEqual({one["loop"] for one in DOCUMENTS.values()}, {"open", "closed"})
        self.assertEqual({one["outcome"]["status"] for one in DOCUMENTS.values()}, {"good", "failed", "stopped"})
        for name, document in DOCUMENTS.items():
            with self.subTest(name):
                self.assertEqual(violations(document), [])

    def test_other_documents_do_not(self):
        good = DOCUMENTS["overload.json"]
        changes = {
            "a key too many": lambda run: run.update(more=1),
            "a key too few": lambda run: run["kinds"][0].pop("failed"),
            "a count that is none": lambda run: run["transactions"].update(completed=-1),
            "another schema": lambda run: run.update(schema="pgload.run/2"),
            "an unknown verdict": lambda run: run["verdicts"][0].update(kind="fine"),
            "a text for a figure": lambda run: run["intervals"][0].update(length_s="1"),
        }
        for name, change in changes.items():
            with self.subTest(name):
                bad = copy.deepcopy(good)
                change(bad)
                self.assertNotEqual(violations(bad), [])


if __name__ == "__main__":
    unittest.main()
