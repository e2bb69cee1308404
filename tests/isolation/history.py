"""What clients did, as they saw it: the input of every checker."""

import time

OK = "ok"        # answered: it happened between `invoked` and `completed`
FAIL = "fail"    # refused: it never happened
INFO = "info"    # unsure: it happened at some time after `invoked`, or never


class Operation:
    """One request. Times are nanoseconds of the machine's monotonic clock, the same for all clients."""

    __slots__ = ("client", "kind", "arguments", "status", "result", "invoked", "completed")

    def __init__(self, client, kind, arguments):
        self.client, self.kind, self.arguments = client, kind, arguments
        self.status, self.result = INFO, None
        self.invoked, self.completed = time.monotonic_ns(), None

    def finish(self, status, result=None):
        self.completed = None if status == INFO else time.monotonic_ns()
        self.status, self.result = status, result

    def __repr__(self):
        return f"client {self.client} {self.kind} {self.arguments} {self.status} {self.result}"


def tally(operations):
    """"ok 812, fail 20, info 3" """
    counts = {status: sum(op.status == status for op in operations) for status in (OK, FAIL, INFO)}
    return ", ".join(f"{status} {count}" for status, count in counts.items())
