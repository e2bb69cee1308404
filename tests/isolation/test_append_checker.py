"""The checker of list appends: silent about good histories, loud about each kind of bad one."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from append_checker import APPEND, READ, AppendChecker, Transaction, check  # noqa: E402
from history import FAIL, INFO, OK  # noqa: E402
from simulated_history import FAULTS, SimulatedHistory  # noqa: E402


def history(*steps):
    """Transactions one after another: (status, actions) or (status, actions, (invoked, completed))."""
    made = []
    for number, (status, actions, *times) in enumerate(steps):
        invoked, completed = times[0] if times else (10 * number, 10 * number + 5)
        made.append(Transaction(number, "step", status, invoked, completed if status != INFO else None, actions))
    return made


def read(key, *elements):
    return READ, key, elements


def append(key, *elements):
    return APPEND, key, elements


TOGETHER = (0, 1000)


class SmallHistories(unittest.TestCase):
    def assert_finds(self, kind, *steps):
        found = check(history(*steps)).anomalies
        self.assertIn(kind, found, found)

    def assert_clean(self, *steps):
        self.assertEqual(check(history(*steps)).problems(), [])

    def test_one_after_another_is_clean(self):
        self.assert_clean((OK, [append("x", 1)]), (OK, [read("x", 1), append("x", 2)]), (OK, [read("x", 1, 2)]))

    def test_overlapping_reads_may_see_old_or_new(self):
        self.assert_clean((OK, [append("x", 1)], TOGETHER), (OK, [read("x")], TOGETHER), (OK, [read("x", 1)], TOGETHER),
                          (OK, [read("x", 1)], (2000, 2001)))

    def test_unsure_may_have_happened_or_not(self):
        self.assert_clean((INFO, [append("x", 1)]), (INFO, [append("x", 2)]), (OK, [read("x")]), (OK, [read("x", 2)]))

    def test_refused_never_happened(self):
        self.assert_clean((FAIL, [append("x", 1)]), (OK, [append("x", 2)]), (OK, [read("x", 2)]))
        self.assert_finds("G1a", (FAIL, [append("x", 1)]), (OK, [read("x", 1)]))

    def test_intermediate_read(self):
        self.assert_finds("G1b", (OK, [append("x", 1, 2)], TOGETHER), (OK, [read("x", 1)], TOGETHER),
                          (OK, [read("x", 1, 2)]))

    def test_appends_of_one_transaction_stay_together(self):
        self.assert_finds("torn-append", (OK, [append("x", 1, 2)], TOGETHER), (OK, [append("x", 3)], TOGETHER),
                          (OK, [read("x", 1, 3, 2)], (2000, 2001)))

    def test_garbage(self):
        self.assert_finds("garbage", (OK, [read("x", 9)]))

    def test_duplicate(self):
        self.assert_finds("duplicate", (OK, [append("x", 1)]), (OK, [read("x", 1, 1)]))

    def test_lost(self):
        self.assert_finds("lost", (OK, [append("x", 1)]), (OK, [append("x", 2)]), (OK, [read("x", 2)]))

    def test_half_of_an_unsure_transaction(self):
        self.assert_finds("torn", (INFO, [append("x", 1), append("y", 2)]), (OK, [read("x", 1)]), (OK, [read("y")]))

    def test_reads_that_contradict_each_other(self):
        self.assert_finds("incompatible-order", (OK, [append("x", 1)], TOGETHER), (OK, [append("x", 2)], TOGETHER),
                          (OK, [read("x", 1, 2)], TOGETHER), (OK, [read("x", 2)], TOGETHER))

    def test_own_writes_are_seen(self):
        self.assert_finds("internal", (OK, [read("x"), append("x", 1), read("x")]), (OK, [read("x", 1)]))

    def test_g0_writes_interleave(self):
        self.assert_finds("G0", (OK, [append("x", 1), append("y", 1)], TOGETHER),
                          (OK, [append("x", 2), append("y", 2)], TOGETHER), (OK, [read("x", 1, 2)], (2000, 2001)),
                          (OK, [read("y", 2, 1)], (2002, 2003)))

    def test_g1c_each_reads_the_other(self):
        self.assert_finds("G1c", (OK, [append("x", 1), read("y", 2)], TOGETHER),
                          (OK, [append("y", 2), read("x", 1)], TOGETHER))

    def test_g_single_half_of_a_transaction_is_seen(self):
        self.assert_finds("G-single", (OK, [append("x", 1), append("y", 2)], TOGETHER),
                          (OK, [read("x", 1), read("y")], TOGETHER), (OK, [read("y", 2)], (2000, 2001)))

    def test_g_single_lost_update(self):
        self.assert_finds("G-single", (OK, [read("x"), append("x", 1)], TOGETHER),
                          (OK, [read("x"), append("x", 2)], TOGETHER), (OK, [read("x", 1, 2)], (2000, 2001)))

    def test_g2_write_skew(self):
        self.assert_finds("G2-item", (OK, [read("x"), append("y", 1)], TOGETHER),
                          (OK, [read("y"), append("x", 2)], TOGETHER),
                          (OK, [read("x", 2), read("y", 1)], (2000, 2001)))

    def test_unsure_transactions_that_were_seen_count(self):
        self.assert_finds("G2-item", (INFO, [read("x"), append("y", 1)], TOGETHER),
                          (OK, [read("y"), append("x", 2)], TOGETHER),
                          (OK, [read("x", 2), read("y", 1)], (2000, 2001)))

    def test_stale_read_breaks_real_time_only(self):
        stale = history((OK, [append("x", 1)]), (OK, [read("x")]), (OK, [read("x", 1)]))
        self.assertEqual(check(stale, real_time=False).problems(), [])
        self.assertEqual(list(check(stale).anomalies), ["G-single-realtime"])

    def test_real_time_reaches_over_other_transactions(self):
        self.assert_finds("G-single-realtime", (OK, [append("x", 1)]), (OK, [append("y", 2)]), (OK, [append("y", 3)]),
                          (OK, [read("x")]), (OK, [read("x", 1)]), (OK, [read("y", 2, 3)]))


class SimulatedHistories(unittest.TestCase):
    SEEDS = range(5)
    COUNT = 4000
    EXPECTED = {"stale read": {"G-single-realtime"}, "lost update": {"lost"}, "torn transaction": {"G-single"},
                "write skew": {"G2-item"}, "duplicated append": {"duplicate"}, "aborted read": {"G1a"}}

    def test_good_histories_pass(self):
        for seed in self.SEEDS:
            with self.subTest(seed=seed):
                self.assertEqual(check(SimulatedHistory(seed, self.COUNT).make()).problems(), [])

    def test_one_fault_among_thousands_is_found_and_named(self):
        for fault in FAULTS:
            for seed in self.SEEDS:
                with self.subTest(fault=fault, seed=seed):
                    found = set(check(SimulatedHistory(seed, self.COUNT, fault).make()).anomalies)
                    self.assertTrue(self.EXPECTED[fault] <= found, found)

    def test_work_grows_with_the_history_not_with_its_square(self):
        """Edges are what the checker walks: a few for each transaction, however many there are."""
        for count in (1000, 8000):
            checker = AppendChecker(SimulatedHistory(1, count).make())
            checker.check()
            self.assertLess(sum(map(len, checker.graph.edges)), 10 * count)


if __name__ == "__main__":
    unittest.main()
