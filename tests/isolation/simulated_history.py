"""Histories of list appends made without a server: strictly serializable ones, and ones with a single planted fault.

A simulated store applies one transaction after another; each is said to have been sent a little before and answered
a little after that moment, so that neighbours overlap as they do in reality.
"""

import random

from append_checker import APPEND, READ, Transaction
from history import FAIL, INFO, OK

STEP_NS = 1000          # between two moments of effect
OVERLAP_NS = 8 * STEP_NS  # how far from its moment a transaction may begin or end
KEYS = 6
APPENDS_PER_KEY = 40

STALE_READ, LOST_UPDATE, TORN_TRANSACTION, WRITE_SKEW, DUPLICATED_APPEND, ABORTED_READ = FAULTS = (
    "stale read", "lost update", "torn transaction", "write skew", "duplicated append", "aborted read")


class SimulatedHistory:
    def __init__(self, seed, count, fault=None):
        self.random = random.Random(seed)
        self.count, self.fault = count, fault
        self.planted = False
        self.lists, self.appends = {}, {}
        self.keys = list(range(KEYS))
        self.next_key, self.next_element, self.now = KEYS, 0, OVERLAP_NS
        self.transactions = []
        self.last_writer_completed = {}

    def make(self):
        """The transactions, in the order in which they took effect; the last ones read every key."""
        while len(self.transactions) < self.count:
            if self.fault and not self.planted and len(self.transactions) > self.count // 2:
                self.planted = getattr(self, "plant_" + self.fault.replace(" ", "_"))()
            else:
                self.transact()
        self.now += 4 * OVERLAP_NS
        for key in sorted(self.lists):
            self.record("final", OK, [(READ, key, self.read(key))])
        assert self.planted or not self.fault, "no place was found for the fault"
        return self.transactions

    # Ordinary transactions

    def transact(self):
        kind = self.random.random()
        keys = self.random.sample(self.keys, self.random.randint(1, 3))
        if kind < 0.35:
            self.record("get", OK, [(READ, key, self.read(key)) for key in keys])
        elif kind < 0.45:  # refused: nothing happens
            self.record("refused", FAIL, [(APPEND, key, self.new_elements()) for key in keys])
        elif kind < 0.5:   # unsure: all of it happened, or nothing
            actions = [(APPEND, key, self.new_elements()) for key in keys]
            if self.random.random() < 0.5:
                self.apply(actions)
            self.record("unsure", INFO, actions)
        else:
            actions = [(READ, key, self.read(key)) for key in keys if self.random.random() < 0.5]
            actions += [(APPEND, key, self.new_elements()) for key in keys]
            self.apply(actions)
            self.record("write", OK, actions)

    def read(self, key):
        return self.lists.get(key, ())

    def new_elements(self):
        count = 2 if self.random.random() < 0.1 else 1
        self.next_element += count
        return tuple(range(self.next_element - count, self.next_element))

    def apply(self, actions):
        for action, key, elements in actions:
            if action == APPEND:
                self.lists[key] = self.read(key) + elements
                self.appends[key] = self.appends.get(key, 0) + 1
                if self.appends[key] == APPENDS_PER_KEY:
                    self.keys[self.keys.index(key)] = self.next_key
                    self.next_key += 1

    def record(self, kind, status, actions):
        self.now += STEP_NS
        invoked = self.now - self.random.randrange(OVERLAP_NS)
        completed = None if status == INFO else self.now + self.random.randrange(OVERLAP_NS)
        self.transactions.append(Transaction(len(self.transactions) % 16, kind, status, invoked, completed, actions))
        for action, key, _ in actions:
            if action == APPEND and status == OK:
                self.last_writer_completed[key] = completed

    # Faults: each returns whether it found its place

    def plant_stale_read(self):
        """A read that does not see what was answered before it was sent."""
        self.now += 4 * OVERLAP_NS
        key = next((key for key in self.keys if len(self.read(key)) > 2), None)
        if key is None or len(self._last_append(key)) != 1:
            self.transact()
            return False
        self.record("get", OK, [(READ, key, self.read(key)[:-1])])
        return True

    def plant_lost_update(self):
        """Two transactions read the same version and both are answered; only one append stays."""
        key = self.keys[0]
        seen, lost, kept = self.read(key), self.new_elements(), self.new_elements()
        self.record("write", OK, [(READ, key, seen), (APPEND, key, lost)])
        self.apply([(APPEND, key, kept)])
        self.record("write", OK, [(READ, key, seen), (APPEND, key, kept)])
        return True

    def plant_torn_transaction(self):
        """Somebody sees one half of a transaction."""
        first, second = self.keys[:2]
        before = self.read(second)
        actions = [(APPEND, first, self.new_elements()), (APPEND, second, self.new_elements())]
        self.apply(actions)
        self.record("write", OK, actions)
        self.record("get", OK, [(READ, first, self.read(first)), (READ, second, before)])
        return True

    def plant_write_skew(self):
        """Two transactions each read what the other one changes, both as it was before."""
        first, second = self.keys[:2]
        seen_first, seen_second = self.read(first), self.read(second)
        one = [(READ, first, seen_first), (APPEND, second, self.new_elements())]
        other = [(READ, second, seen_second), (APPEND, first, self.new_elements())]
        for actions in (one, other):
            self.apply(actions)
            self.record("write", OK, actions)
        return True

    def plant_duplicated_append(self):
        key = self.keys[0]
        actions = [(APPEND, key, self.new_elements())]
        self.apply(actions)
        self.apply(actions)
        self.record("write", OK, actions)
        return True

    def plant_aborted_read(self):
        """A refused transaction leaves something behind."""
        key = self.keys[0]
        actions = [(APPEND, key, self.new_elements())]
        self.apply(actions)
        self.record("refused", FAIL, actions)
        return True

    def _last_append(self, key):
        last = self.read(key)[-1]
        return next(elements for transaction in reversed(self.transactions) for action, k, elements
                    in transaction.actions if action == APPEND and k == key and last in elements)
