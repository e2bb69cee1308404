"""Transactions and what orders them; cycles in that order, named after Adya.

Edges: WW (the next version of a key), WR (read what was written), RW (read the version before it), RT (was answered
before the other was sent). Real time would need an edge for every pair; instead every completion has a node on one
time line, a transaction points to the node of its completion and is pointed to by the last one before its
invocation. That is the same order with two edges per transaction.
"""

import bisect
from collections import deque

WW, WR, RW, RT = 1, 2, 4, 8
NAMES = {WW: "ww", WR: "wr", RW: "rw", RT: "real-time"}
RW_EDGES_TRIED_MAX = 500
STARTS_TRIED_MAX = 50


class DependencyGraph:
    def __init__(self, count):
        self.count = count  # nodes from here on are the time line
        self.edges = [[] for _ in range(count)]  # node -> [(target, kind, why)]

    def add(self, source, target, kind, why):
        if source != target:
            self.edges[source].append((target, kind, why))

    def add_real_time(self, invoked, completed):
        """`invoked`: node -> time; `completed`: the same for those that were answered."""
        line = sorted((time, node) for node, time in completed.items())
        times = [time for time, _ in line]
        first = self.count
        self.edges += [[] for _ in line]
        for position, (_, node) in enumerate(line):
            self.edges[node].append((first + position, RT, None))
            if position:
                self.edges[first + position - 1].append((first + position, RT, None))
        for node, time in invoked.items():
            before = bisect.bisect_left(times, time)
            if before:
                self.edges[first + before - 1].append((node, RT, None))

    # Cycles

    def find_cycles(self):
        """[(name, [(node, kind, why), ...])]: at most one cycle for each knot, under the gravest name that fits."""
        found, explained = [], set()
        for real_time in (0, RT):
            suffix = "-realtime" if real_time else ""
            for name, kinds in (("G0", WW), ("G1c", WW | WR), ("G2-item", WW | WR | RW)):
                for component in self.components(kinds | real_time):
                    if explained.isdisjoint(component):
                        single = self._single_rw(component, kinds | real_time) if kinds & RW else None
                        cycle = single or self._shortest(component, kinds | real_time)
                        found.append((("G-single" if single else name) + suffix, cycle))
                        explained |= component
        return found

    def components(self, kinds):
        """Strongly connected sets of two or more nodes (Tarjan, with a stack of our own)."""
        index, low, on_stack, stack, found = {}, {}, set(), [], []
        for root in range(len(self.edges)):
            if root in index:
                continue
            work = [(root, iter(self.edges[root]))]
            index[root] = low[root] = len(index)
            stack.append(root)
            on_stack.add(root)
            while work:
                node, targets = work[-1]
                for target, kind, _ in targets:
                    if not kind & kinds:
                        continue
                    if target not in index:
                        index[target] = low[target] = len(index)
                        stack.append(target)
                        on_stack.add(target)
                        work.append((target, iter(self.edges[target])))
                        break
                    if target in on_stack:
                        low[node] = min(low[node], index[target])
                else:
                    work.pop()
                    if work:
                        low[work[-1][0]] = min(low[work[-1][0]], low[node])
                    if low[node] == index[node]:
                        component = set()
                        while not component or last != node:
                            last = stack.pop()
                            on_stack.discard(last)
                            component.add(last)
                        if len(component) > 1:
                            found.append(component)
        return found

    def _single_rw(self, component, kinds):
        """A cycle with exactly one RW edge, if there is one."""
        tried = 0
        for source in sorted(component):
            for target, kind, why in self.edges[source]:
                if kind == RW and target in component:
                    tried += 1
                    if tried > RW_EDGES_TRIED_MAX:
                        return None
                    path = self._path(target, source, component, kinds & ~RW)
                    if path is not None:
                        return [(source, kind, why), *path]
        return None

    def _shortest(self, component, kinds):
        best = None
        for start in sorted(node for node in component if node < self.count)[:STARTS_TRIED_MAX]:
            for target, kind, why in self.edges[start]:
                if kind & kinds and target in component:
                    path = self._path(target, start, component, kinds)
                    if path is not None and (best is None or len(path) + 1 < len(best)):
                        best = [(start, kind, why), *path]
        return best

    def _path(self, source, goal, component, kinds):
        """The shortest way as [(node, kind of the edge that leaves it, why)]; steps along the time line are free."""
        came, queue = {source: None}, deque([source])
        while queue:
            node = queue.popleft()
            if node == goal:
                return self._walk_back(came, node)
            for target, kind, why in self.edges[node]:
                if kind & kinds and target in component and target not in came:
                    came[target] = (node, kind, why)
                    if target >= self.count:
                        queue.appendleft(target)
                    else:
                        queue.append(target)
        return None

    @staticmethod
    def _walk_back(came, node):
        steps = []
        while came[node] is not None:
            steps.append(came[node])
            node = came[node][0]
        return steps[::-1]

    def describe(self, cycle, tell):
        """One line per transaction of the cycle; `tell(node)` writes a transaction."""
        lines = []
        for node, kind, why in cycle:
            if node < self.count:
                lines.append(f"    {tell(node)}\n      {NAMES[kind]}{f' ({why})' if why else ''} ->")
        return "\n".join(lines + ["    the first again"])
