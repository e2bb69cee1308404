"""What a writer knows: for every item it owns the states that were acknowledged, and the one it cannot be sure of."""

GONE = "gone"  # the state of a deleted item
NEVER = "never written"


class Journal:
    """Owned by one writer thread while it runs; read by the checker once it has stopped.

    A state is the number `n` that a write gave the item, or GONE. Numbers are never used twice, so the order of an
    item's states can be compared with its stream records.
    """

    def __init__(self):
        self.states = {}        # key -> [state, ...] acknowledged, in order
        self.pending = {}       # key -> state that may or may not have been written when the server died
        self.pending_is_one = True  # all of it or nothing; else each for itself
        self.applied_tokens = 0  # counted transactions that were acknowledged
        self.open_request = None  # a transaction with a token that has to be sent again
        self.answered_request = None  # the last one that was answered

    def last(self, key):
        return self.states.get(key, [NEVER])[-1]

    def begin(self, changes, all_or_nothing=True):
        self.pending, self.pending_is_one = dict(changes), all_or_nothing

    def acknowledge(self):
        for key, state in self.pending.items():
            self.states.setdefault(key, []).append(state)
        self.pending = {}

    def refuse(self):
        """The server said no: nothing was written."""
        self.pending = {}

    def resolve(self, found):
        """Settles what was unsure from what the restarted server holds; returns what is wrong.

        `found` maps keys to states. Changes of one transaction must have happened all or none; those of a batch are
        writes of their own.
        """
        problems, outcomes = [], set()
        for key, state in self.pending.items():
            written = found.get(key, GONE) == state
            outcomes.add(written)
            if written:
                self.states.setdefault(key, []).append(state)
        if len(outcomes) > 1 and self.pending_is_one:
            problems.append(f"half a transaction: {self.pending}")
        self.pending = {}
        for key, states in self.states.items():
            actual = found.get(key, GONE)
            if actual != states[-1]:
                problems.append(f"{key}: acknowledged {states[-1]}, found {actual}")
        return problems
