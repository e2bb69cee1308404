"""The checker of registers."""

import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from history import FAIL, INFO, OK, Operation  # noqa: E402
from linearizable import CAS, READ, WRITE, first_contradiction  # noqa: E402


def operation(kind, arguments, invoked, completed, status=OK, result=None):
    made = Operation(0, kind, arguments)
    made.status, made.result, made.invoked, made.completed = status, result, invoked, completed
    return made


def write(value, invoked, completed):
    return operation(WRITE, value, invoked, completed)


def read(value, invoked, completed):
    return operation(READ, None, invoked, completed, OK, value)


def cas(old, new, invoked, completed, status=OK):
    return operation(CAS, (old, new), invoked, completed, status)


def unsure(kind, arguments, invoked):
    return operation(kind, arguments, invoked, None, INFO)


class Register(unittest.TestCase):
    def assert_linearizable(self, *operations):
        self.assertIsNone(first_contradiction(operations, 0))

    def assert_not(self, culprit, *operations):
        self.assertIs(first_contradiction(operations, 0), operations[culprit])

    def test_reads_see_the_last_write(self):
        self.assert_linearizable(write(1, 0, 1), read(1, 2, 3), write(2, 4, 5), read(2, 6, 7))

    def test_stale_read(self):
        self.assert_not(2, write(1, 0, 1), write(2, 2, 3), read(1, 4, 5))

    def test_reads_during_a_write_may_see_either_but_not_go_back(self):
        self.assert_linearizable(write(1, 0, 100), read(0, 10, 20), read(1, 30, 40), read(1, 50, 60))
        self.assert_not(2, write(1, 0, 100), read(1, 10, 20), read(0, 30, 40))

    def test_compare_and_set(self):
        self.assert_linearizable(cas(0, 1, 0, 10), cas(1, 2, 5, 15), read(2, 20, 25))
        self.assert_not(1, cas(0, 1, 0, 10), cas(0, 2, 20, 30))

    def test_both_of_two_concurrent_compare_and_sets_cannot_win(self):
        self.assert_not(1, cas(0, 1, 0, 100), cas(0, 2, 0, 101))

    def test_refused_compare_and_set_saw_something_else(self):
        self.assert_linearizable(write(1, 0, 10), cas(0, 2, 5, 20, FAIL))
        self.assert_not(0, cas(0, 2, 0, 10, FAIL))

    def test_unsure_write_may_take_effect_late_or_never(self):
        self.assert_linearizable(unsure(WRITE, 7, 0), read(0, 10, 20), read(7, 30, 40), write(1, 50, 60),
                                 read(1, 70, 80))
        self.assert_linearizable(unsure(WRITE, 7, 0), read(0, 10, 20), read(0, 30, 40))

    def test_unsure_write_takes_effect_once(self):
        self.assert_not(3, unsure(WRITE, 7, 0), read(7, 10, 20), write(1, 30, 40), read(7, 50, 60))

    def test_value_that_nobody_wrote(self):
        self.assert_not(1, write(1, 0, 1), read(5, 2, 3))


class RandomRegister(unittest.TestCase):
    """Histories of a register that works, and the same with one answer changed."""

    def make(self, seed):
        random_, value, moment, operations = random.Random(seed), 0, 1000, []
        for number in range(200):
            moment += 10
            times = moment - random_.randrange(40), moment + random_.randrange(40)
            kind = random_.choice([READ, WRITE, CAS])
            if kind == READ:
                operations.append(read(value, *times))
            elif kind == WRITE:
                value = number + 1
                operations.append(write(value, *times))
            else:
                old = random_.choice([value, value, -1])
                operations.append(cas(old, number + 1, *times, OK if old == value else FAIL))
                value = number + 1 if old == value else value
        return operations

    def test_works(self):
        for seed in range(20):
            with self.subTest(seed=seed):
                self.assertIsNone(first_contradiction(self.make(seed), 0))

    def test_one_read_of_a_value_long_gone_is_found(self):
        for seed in range(20):
            with self.subTest(seed=seed):
                operations = self.make(seed)
                reads = [op for op in operations if op.kind == READ and op.result not in (0, operations[-1].result)]
                reads[-1].result = 0  # the initial value, overwritten long before
                self.assertIsNotNone(first_contradiction(operations, 0))


if __name__ == "__main__":
    unittest.main()
