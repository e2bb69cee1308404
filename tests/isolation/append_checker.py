"""Is a history of list appends strictly serializable? After Elle (Kingsbury and Alvaro, VLDB 2020), written anew.

Every element is appended once in the whole history, so a read of a list tells which versions its key went through.
The longest read of a key is its version order; all others must be beginnings of it. From the orders follow the
dependencies between transactions, and a history without a cycle of them has an equivalent serial one.

Takes time in proportion to the size of the history.
"""

from dependency_graph import RW, WR, WW, DependencyGraph
from history import FAIL, INFO, OK

READ, APPEND = "read", "append"
ANOMALIES_MAX = 20  # of one kind in a report


class Transaction:
    """`actions`, in order: (READ, key, elements) and (APPEND, key, elements), elements as tuples."""

    __slots__ = ("client", "kind", "status", "invoked", "completed", "actions")

    def __init__(self, client, kind, status, invoked, completed, actions):
        self.client, self.kind, self.status = client, kind, status
        self.invoked, self.completed, self.actions = invoked, completed, actions

    def __repr__(self):
        told = ", ".join(f"{action} {key} {_brief(elements)}" for action, key, elements in self.actions)
        return f"client {self.client} {self.kind} ({self.status}): {told}"


def _brief(elements):
    return list(elements) if len(elements) <= 6 else f"[.. {len(elements) - 3} .. {', '.join(map(str, elements[-3:]))}]"


class Report:
    def __init__(self):
        self.anomalies = {}  # kind -> [text]

    def add(self, kind, text):
        self.anomalies.setdefault(kind, []).append(text)

    def problems(self):
        return [f"{kind}: {text}" for kind, texts in sorted(self.anomalies.items()) for text in texts[:ANOMALIES_MAX]]


class AppendChecker:
    def __init__(self, transactions, real_time=True):
        self.transactions, self.real_time = transactions, real_time
        self.report = Report()
        self.graph = DependencyGraph(len(transactions))
        self.writers = {}   # (key, element) -> transaction's number
        self.reads = {}     # key -> [(reader, elements)], of transactions that were answered
        self.orders = {}    # key -> elements, the longest read
        self.present = {}   # key -> the same as a set
        self.doubted = set()  # keys whose reads contradict each other: no order follows from them

    def check(self):
        self._index()
        for key, reads in self.reads.items():
            self._find_order(key, reads)
        for number, transaction in enumerate(self.transactions):
            if transaction.status == OK:
                self._check_own_view(number)
        self._check_presence()
        self._check_cycles()
        return self.report

    def _index(self):
        for number, transaction in enumerate(self.transactions):
            for action, key, elements in transaction.actions:
                if action == APPEND:
                    for element in elements:
                        assert (key, element) not in self.writers, "the workload appended an element twice"
                        self.writers[key, element] = number
                elif transaction.status == OK:
                    self.reads.setdefault(key, []).append((number, elements))

    # What a read alone, or two reads of a key, give away

    def _find_order(self, key, reads):
        order = max((elements for _, elements in reads), key=len)
        self.orders[key] = order
        for reader, elements in reads:
            if elements != order[:len(elements)]:
                self.doubted.add(key)
                self._tell("incompatible-order", reader, f"read {key} as {list(elements)}, another read {list(order)}")
                self._check_elements(key, reader, elements)
            else:
                self._check_last(key, reader, elements)
        self._check_elements(key, next(reader for reader, elements in reads if elements is order), order)
        self._check_together(key, order)

    def _check_elements(self, key, reader, elements):
        if len(set(elements)) < len(elements):
            self.doubted.add(key)
            twice = sorted({e for e in elements if elements.count(e) > 1})
            self._tell("duplicate", reader, f"read {twice} more than once in {key}")
        for element in elements:
            writer = self.writers.get((key, element))
            if writer is None:
                self.doubted.add(key)
                self._tell("garbage", reader, f"read {element} in {key}, which nobody has appended")
            elif self.transactions[writer].status == FAIL:
                self.doubted.add(key)
                self._tell("G1a", reader, f"read {element} in {key}, which was refused: {self.transactions[writer]}")

    def _check_last(self, key, reader, elements):
        """A list must not end within what one transaction appends."""
        writer = self.writers.get((key, elements[-1])) if elements else None
        if writer in (None, reader):
            return
        appended = self._appended(writer, key)
        if elements[-1] != appended[-1]:
            self._tell("G1b", reader, f"read {key} up to {elements[-1]} of {list(appended)}")

    def _check_together(self, key, order):
        positions = {element: position for position, element in enumerate(order)}
        for element, position in positions.items():
            writer = self.writers.get((key, element))
            if writer is None:
                continue
            appended = self._appended(writer, key)
            if len(appended) > 1 and element == appended[0] and order[position:position + len(appended)] != appended:
                self._tell("torn-append", writer, f"{list(appended)} do not follow each other in {key}")

    def _appended(self, number, key):
        return next(elements for action, k, elements in self.transactions[number].actions
                    if action == APPEND and k == key)

    def _check_own_view(self, number):
        """What a transaction reads fits what it read and appended itself."""
        known, added = {}, {}
        for action, key, elements in self.transactions[number].actions:
            if action == APPEND:
                added[key] = added.get(key, ()) + elements
                if key in known:
                    known[key] += elements
            elif key in known and known[key] != elements or elements[len(elements) - len(added.get(key, ())):] != \
                    added.get(key, ()):
                self._tell("internal", number, f"its read of {key} does not fit what it did before")
            else:
                known[key] = elements

    # Every key is read at the end, so what no read shows is not there

    def _check_presence(self):
        for number, transaction in enumerate(self.transactions):
            appended = [(key, element) for action, key, elements in transaction.actions if action == APPEND
                        for element in elements]
            missing = [(key, element) for key, element in appended if element not in self._present(key)]
            if transaction.status == OK and missing:
                self._tell("lost", number, f"was answered, but nobody ever reads {missing}")
            elif transaction.status == INFO and 0 < len(missing) < len(appended):
                self._tell("torn", number, f"only half done: {missing} are missing")

    def _present(self, key):
        if key not in self.present:
            self.present[key] = set(self.orders.get(key, ()))
        return self.present[key]

    # Dependencies

    def committed(self, number):
        """Answered, or unsure and seen by somebody."""
        transaction = self.transactions[number]
        return transaction.status == OK or transaction.status == INFO and any(
            element in self._present(key) for action, key, elements in transaction.actions if action == APPEND
            for element in elements)

    def _check_cycles(self):
        graph = self.graph
        committed = {number for number in range(len(self.transactions)) if self.committed(number)}
        for key, order in self.orders.items():
            if key not in self.doubted:
                self._add_versions(graph, key, order)
        for number in committed:
            for action, key, elements in self.transactions[number].actions:
                if action == READ and key in self.orders and key not in self.doubted:
                    self._add_read(graph, number, key, elements)
        if self.real_time:
            graph.add_real_time({n: self.transactions[n].invoked for n in committed},
                                {n: self.transactions[n].completed for n in committed
                                 if self.transactions[n].status == OK})
        for name, cycle in graph.find_cycles():
            self.report.add(name, "\n" + graph.describe(cycle, lambda node: repr(self.transactions[node])))

    def _add_versions(self, graph, key, order):
        writers = [self.writers[key, element] for element in order]
        for position in range(1, len(order)):
            graph.add(writers[position - 1], writers[position], WW,
                      f"{key}: {order[position]} follows {order[position - 1]}")

    def _add_read(self, graph, reader, key, elements):
        order, length = self.orders[key], len(elements)
        if length:
            graph.add(self.writers[key, elements[-1]], reader, WR, f"{key}: {elements[-1]} is read")
        if length < len(order):
            graph.add(reader, self.writers[key, order[length]], RW, f"{key}: {order[length]} is not read")

    def _tell(self, kind, number, what):
        self.report.add(kind, f"{self.transactions[number]}: {what}")


def check(transactions, real_time=True):
    return AppendChecker(transactions, real_time).check()
