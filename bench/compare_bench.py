"""bench/run compare --old BINARY: what every operation costs now, beside an older binary, in one run.

The servers run with the same data; every operation is measured on one and then on the other, round after round, and a
round's ratio of CPU per operation is taken at once, so that a machine that gets busier in between disturbs all alike.

One process is not like another of the same binary: where its memory lies, and how the random heights of a skip list fell,
makes up to 15 % in what is read. So all are started again several times, a start gives the median of its rounds, and the
median of the starts stands. A second process of the old binary runs beside them as a control: its ratio to the first says
what this machine cannot tell apart in this run.

Stored items over the DynamoDB protocol in memory; the applications over REST, on disk, with synced writes.
With --instructions, callgrind counts instead (Debian's valgrind): the same every time, but without the kernel's part.
"""

import argparse
import http.client
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import uuid

from driver import Driver, add_common_options, machine, prepare, progress, write_results
from instructions import count_idle, counted, under_callgrind
from nexus_bench import NOW, Items, fill
from servers import Cairn, Server, unhurried
from store_report import OPERATIONS

ALLOWED = 1.03
TREE_NODES = 200


def parse(arguments):
    parser = argparse.ArgumentParser(prog="bench/run compare", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--old", type=pathlib.Path, required=True, help="the binary to compare with")
    parser.add_argument("--old-flags", default="", help="more flags of `serve` for it, in one word")
    parser.add_argument("--new-flags", default="", help="and for the new one")
    parser.add_argument("--only", default="", help="operations whose names contain this")
    parser.add_argument("--instructions", action="store_true", help="count instructions; a busy machine does not matter")
    parser.add_argument("--starts", type=int, default=7, help="of every server (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="of each start (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=0.3, help="of each measurement (default: %(default)s)")
    parser.add_argument("--warmup", type=float, default=0.1)
    parser.add_argument("--connections", type=int, default=16, help="(default: %(default)s)")
    parser.add_argument("--items", type=int, default=20_000, help="a multiple of 25 (default: %(default)s)")
    add_common_options(parser)
    options = parser.parse_args(arguments)
    if options.instructions:
        options.connections, options.warmup, options.starts, options.rounds = 1, 0, 1, 1
        options.seconds = max(options.seconds, 4)  # some fifty times slower
    return options


class Side:
    """One of the two binaries, with a server for the store and one for the applications."""

    def __init__(self, options, name, binary, flags):
        folder, cores, flags = options.scratch / name, options.server_cores, unhurried(binary) + flags.split()
        self.name, self.binary = name, binary
        self.store = Cairn(folder, "memory", cores, binary, ["--no-apps", *flags])
        self.apps = Cairn(folder, "disk", cores, binary, flags)
        self.requests = {}  # by name: files for the driver, and at how many connections

    def prepare(self, options, driver):
        start = under_callgrind if options.instructions else Server.start
        start(self.store)
        driver.fill(self.store, (options.items, 1000))
        self.apps.start()
        self.user = str(uuid.UUID(int=7))  # the same for both, and so are their items
        self.token = subprocess.run([self.binary, "token", "--sub", self.user, "--for", "1d", "--data",
                                     self.apps.scratch / "data"], capture_output=True, text=True,
                                    check=True).stdout.strip()
        _, events = fill(self.apps.port, Items(self.user, 5000))
        self._make_tree()
        weeks = [("GET", f"/api/nexus/agenda/week/{NOW.date()}?tz=Europe/Berlin", None)]
        many = options.connections
        for name, connections, requests in (
                ("week agenda", many, weeks),
                ("single event", many, [("GET", f"/api/nexus/events/{each}", None) for each in events[:200]]),
                ("board column", many, [("GET", "/api/nexus/board?column=IN_PROGRESS", None)]),
                ("notes, a page", many, [("GET", "/api/nexus/notes?limit=50", None)]),
                ("search", many, [("GET", self._search(), None)]),
                ("tree", many, [("GET", "/api/values", None)]),
                ("settings changed", 1, [("PATCH", "/api/nexus/settings", {"timezone": zone})
                                         for zone in ("Europe/Berlin", "Asia/Tokyo", "UTC")]),
                ("tree commit", 1, [("PATCH", "/api/values/nodes/n7", {"title": f"t{n}"}) for n in range(50)])):
            self._write(options, name, connections, requests)
        if options.instructions:  # what is filled in is filled in faster without
            self.apps.stop()
            start(self.apps)
        self.apps.settle(1)
        if options.instructions:
            for server in (self.store, self.apps):
                progress(f"{self.name}: {count_idle(server) / 1e6:.2f} million instructions a second of rest")

    def _search(self):
        """Over notes and tasks: an older binary knows no others, and no `types`."""
        path = "/api/nexus/search?q=words"
        narrow = path + "&types=NOTE,TASK"
        try:
            self._call("GET", narrow, None)
        except RuntimeError:
            return path
        return narrow

    def _make_tree(self):
        operations = [{"op": "add", "nodeType": "DRIVER", "title": f"Node number {number}", "nodeId": f"n{number}"}
                      for number in range(TREE_NODES)]
        self._call("POST", "/api/values/commits", {"operations": operations})

    def _headers(self, body):
        headers = {"Host": f"127.0.0.1:{self.apps.port}", "Authorization": f"Bearer {self.token}"}
        return headers if body is None else {**headers, "Content-Type": "application/json"}

    def _call(self, method, path, body):
        connection = http.client.HTTPConnection("127.0.0.1", self.apps.port, timeout=60)
        connection.request(method, path, json.dumps(body), self._headers(body))
        reply = connection.getresponse()
        text = reply.read()
        connection.close()
        if reply.status not in (200, 201):
            raise RuntimeError(f"{self.name}: {method} {path}: {reply.status} {text[:300]}")
        return json.loads(text)

    def _write(self, options, name, connections, requests):
        file = options.scratch / self.name / f"requests-{len(self.requests)}"
        with open(file, "wb") as out:
            for method, path, body in requests:
                payload = b"" if body is None else json.dumps(body).encode()
                fields = self._headers(body) | ({} if body is None else {"Content-Length": len(payload)})
                head = "".join(f"{field}: {value}\r\n" for field, value in fields.items())
                out.write(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + payload + b"\0")
        self.requests[name] = (file, connections)

    def remove(self):
        self.store.remove()
        self.apps.remove()


class CompareBench:
    """After run(): ratios[operation][side name] = one for each start, and costs likewise."""

    def __init__(self, options):
        self.options, self.driver = options, Driver(options)
        self.ratios, self.costs = {}, {}
        self.sides = []

    def run(self):
        for start in range(self.options.starts):
            self._start()
            for operation, title in OPERATIONS.items():
                self._compare(title, lambda side, operation=operation: self._store(side, operation))
            for name in self.sides[0].requests:
                self._compare(name, lambda side, name=name: self._rest(side, name))
            self.remove()
            progress(f"start {start + 1} of {self.options.starts}")

    def _start(self):
        old, options = (self.options.old, self.options.old_flags), self.options
        wanted = {"old": old, "new": (options.cairn, options.new_flags)}
        if not options.instructions:
            wanted["control"] = old
        self.sides = [Side(options, name, *binary) for name, binary in wanted.items()]
        for side in self.sides:
            side.prepare(options, self.driver)

    def remove(self):
        for side in self.sides:
            side.remove()
        self.sides = []

    def _store(self, side, operation):
        def run():
            found, = self.driver.run(side.store, operation, (self.options.items, 1000), [self.options.connections],
                                     self.options.seconds, self.options.warmup)
            return found

        return self._cost(side.store, run)

    def _rest(self, side, name):
        file, connections = side.requests[name]

        def run():
            found, = self.driver._call("replay", file, "--port", side.apps.port, "--pid", side.apps.process.pid,
                                       "--connections", connections, "--seconds", self.options.seconds, "--warmup",
                                       self.options.warmup, "--wait", self.options.wait)
            if found["wrong"] or not found["operations"]:
                raise RuntimeError(f"{side.name}, {name}: {found['wrong']} wrong answers, first: {found['first_wrong']}")
            return found

        return self._cost(side.apps, run)

    def _cost(self, server, run):
        """Microseconds of CPU, or thousands of instructions."""
        if not self.options.instructions:
            found = run()
            return found["server_cpu_s"] * 1e6 / found["operations"]
        run()  # what is done once is done
        with counted(server) as count:
            found = run()
        return count.total / 1e3 / found["operations"]

    def _compare(self, title, measure):
        if self.options.only not in title:
            return
        found = {side.name: [] for side in self.sides}
        for number in range(self.options.rounds):
            for side in self.sides if number % 2 == 0 else self.sides[::-1]:
                found[side.name].append(measure(side))
        for name, figures in found.items():
            ratios = [each / old for each, old in zip(figures, found["old"])]
            self.ratios.setdefault(title, {}).setdefault(name, []).append(statistics.median(ratios))
            self.costs.setdefault(title, {}).setdefault(name, []).append(statistics.median(figures))

    def rows(self):
        for title, ratios in self.ratios.items():
            row = {"what": title} | {f"{name}_us": statistics.median(costs) for name, costs in self.costs[title].items()}
            for name in ratios.keys() - {"old"}:
                row |= {f"{name}_ratio": statistics.median(ratios[name]), f"{name}_ratios": sorted(ratios[name])}
            yield row


def report(rows, remarks, unit):
    lines = [*[f"- {remark}" for remark in remarks], "",
             f"| operation | {unit}, old | now | ratio | of the starts | control | of the starts | at most {ALLOWED} |",
             "|---|---:|---:|---:|---:|---:|---:|---|"]

    def ratio(row, name):
        if f"{name}_ratio" not in row:
            return "| |"
        every = row[f"{name}_ratios"]
        return f"{row[f'{name}_ratio']:.3f} | {every[0]:.2f} to {every[-1]:.2f} |"

    lines += [f"| {row['what']} | {row['old_us']:.1f} | {row['new_us']:.1f} | {ratio(row, 'new')} {ratio(row, 'control')} " +
              ("yes |" if row["new_ratio"] <= ALLOWED else "**no** |") for row in rows]
    return "\n".join(lines) + "\n"


def main(arguments):
    options = parse(arguments)
    prepare(options)
    bench = CompareBench(options)
    try:
        bench.run()
    finally:
        bench.remove()
        shutil.rmtree(options.scratch, ignore_errors=True)
    unit = "thousand instructions" if options.instructions else "CPU us"
    remarks = [machine(), f"median of {options.starts} starts of {options.rounds} rounds of {options.seconds:g} s, "
                          f"{options.connections} connections (changes over REST: one)"]
    rows = list(bench.rows())
    write_results(options, "compare", report(rows, remarks, unit), {"rows": rows})


if __name__ == "__main__":
    main(sys.argv[1:])
