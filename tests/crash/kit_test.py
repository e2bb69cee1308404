"""The checks of kill_test.py and disk_fault_test.py can fail: each meets the fault it is there for.

kit_test.py [--binary PATH] [-v]
"""

import argparse
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "fixture"), str(HERE.parent / "protocol")]

import endpoint  # noqa: E402
from cairn_server import CairnServer, binary_from_environment  # noqa: E402
from disk_fault_test import DiskFaultTest, FailedSync  # noqa: E402
from kill_test import KillTest  # noqa: E402
from tables import item, values  # noqa: E402
from writers import COUNTER, TABLE, key_of  # noqa: E402

SEED = 5


class KillTestNotices(unittest.TestCase):
    binary = binary_from_environment()

    @classmethod
    def setUpClass(cls):
        cls.server = CairnServer(cls.binary)
        cls.server.start()
        cls.kit = KillTest(cls.server, SEED, writers=4, restart_seconds=60)
        cls.kit.setup()
        problems = cls.kit.load() + cls.kit.restart() + cls.kit.check()
        assert not problems, problems
        cls.db = endpoint.client(cls.server.url)

    @classmethod
    def tearDownClass(cls):
        cls.server.close()

    def assert_noticed(self, words):
        problems = self.kit.check()
        self.assertTrue(any(words in problem for problem in problems), problems)

    def journal_with_an_item(self):
        for journal in self.kit.journals:
            for key, states in journal.states.items():
                if states and states[-1] != "gone":
                    return journal, key
        self.fail("no writer has an item")

    def test_a_write_that_was_acknowledged_and_is_not_there(self):
        journal, key = self.journal_with_an_item()
        journal.states[key].append(10**9)
        self.addCleanup(journal.states[key].pop)
        self.assert_noticed(f"{key}: acknowledged {10**9}")

    def test_half_a_transaction(self):
        journal, key = self.journal_with_an_item()
        journal.begin({key: journal.last(key), "nowhere": 10**9})
        found = {key: journal.last(key)}
        states = list(journal.states[key])
        problems = journal.resolve(found)
        journal.states[key] = states
        self.assertTrue(any("half a transaction" in problem for problem in problems), problems)

    def test_an_item_that_nobody_wrote(self):
        self.db.put_item(TableName=TABLE, Item=item(pk="stranger", sk="-", n=1, grp="g"))
        self.addCleanup(self.db.delete_item, TableName=TABLE, Key=key_of("stranger"))
        self.assert_noticed("stranger: found, but never written")

    def test_a_stream_that_tells_more_than_was_written(self):
        _, key = self.journal_with_an_item()
        before = self.db.get_item(TableName=TABLE, Key=key_of(key))["Item"]
        self.db.put_item(TableName=TABLE, Item={**before, "filler": {"S": "other"}})
        self.db.put_item(TableName=TABLE, Item=before)
        self.assert_noticed(f"stream of {key}")

    def test_a_counter_that_counted_twice(self):
        self.add_to_counter("50")
        self.addCleanup(self.add_to_counter, "-50")
        self.assert_noticed("counter ")

    def add_to_counter(self, number):
        self.db.update_item(TableName=TABLE, Key=key_of(COUNTER), UpdateExpression="ADD #t :n",
                            ExpressionAttributeNames={"#t": "total"},
                            ExpressionAttributeValues=values(n=int(number)))

    def test_a_token_that_was_forgotten(self):
        journal = next(journal for journal in self.kit.journals if journal.answered_request)
        request = journal.answered_request
        journal.answered_request = {**request, "ClientRequestToken": "never-seen-before"}
        self.addCleanup(setattr, journal, "answered_request", request)
        self.addCleanup(self.add_to_counter, "-1")
        self.assert_noticed("tokens sent again were counted")

    def test_an_index_without_a_row(self):
        whole = self.kit.scan
        def without_one(db, **where):
            rows = whole(db, **where)
            if where:
                rows.popitem()
            return rows
        self.kit.scan = without_one
        self.addCleanup(setattr, self.kit, "scan", whole)
        self.assert_noticed("and table differ")

    def test_a_slow_restart(self):
        self.kit.restart_seconds = 0
        self.server.kill()
        problems = self.kit.restart()
        self.kit.restart_seconds = 60
        self.assertTrue(any("the restart took" in problem for problem in problems), problems)
        type(self).db = endpoint.client(self.server.url)


class DiskFaultTestNotices(DiskFaultTest):
    def test_a_disk_that_does_not_fail(self):
        """FailedSync insists on a refusal, so it fails where there is none."""
        server = self.server()
        self.start(server)
        check = FailedSync("write_until_refused")
        check.db = self.db
        with self.assertRaisesRegex(AssertionError, "although the disk fails"):
            check.write_until_refused()

    def test_an_acknowledged_write_that_is_gone_and_refused_ones_that_came_back(self):
        server = self.server()
        self.start(server)
        for number in range(5):
            self.put(number)
        self.assert_kept(set(range(5)), unsure=0)
        with self.assertRaises(AssertionError):
            self.assert_kept(set(range(6)), unsure=0)
        with self.assertRaisesRegex(AssertionError, "came back"):
            self.assert_kept({0, 1, 2}, unsure=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=binary_from_environment())
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    KillTestNotices.binary = DiskFaultTest.binary = options.binary
    suite = unittest.TestSuite(unittest.defaultTestLoader.loadTestsFromTestCase(case)
                               for case in (KillTestNotices, DiskFaultTestNotices))
    result = unittest.TextTestRunner(verbosity=2 if options.verbose else 1).run(suite)
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
