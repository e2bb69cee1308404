"""bench/run compare --old BINARY: what every operation costs now, beside an older binary, in one run.

Both servers run with the same data; every operation is measured on one and then on the other, round after round, and a
round's ratio of CPU per operation is taken at once, so that a machine that gets busier in between disturbs both alike.
The median of the rounds' ratios stands. Stored items over the DynamoDB protocol in memory; the applications over REST, on
disk, with synced writes. With --instructions, callgrind counts instead (Debian's valgrind): where noise hides a few percent.
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
    parser.add_argument("--rounds", type=int, default=7, help="(default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=1, help="of each measurement (default: %(default)s)")
    parser.add_argument("--warmup", type=float, default=0.2)
    parser.add_argument("--connections", type=int, default=16, help="(default: %(default)s)")
    parser.add_argument("--items", type=int, default=20_000, help="a multiple of 25 (default: %(default)s)")
    add_common_options(parser)
    options = parser.parse_args(arguments)
    if options.instructions:
        options.connections, options.warmup = 1, 0
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
    def __init__(self, options):
        self.options, self.driver = options, Driver(options)
        self.sides = [Side(options, "old", options.old, options.old_flags),
                      Side(options, "new", options.cairn, options.new_flags)]
        self.rows = []

    def run(self):
        for side in self.sides:
            side.prepare(self.options, self.driver)
            progress(f"{side.name} is filled")
        for operation, title in OPERATIONS.items():
            self._compare(title, lambda side, operation=operation: self._store(side, operation))
        for name in self.sides[0].requests:
            self._compare(name, lambda side, name=name: self._rest(side, name))

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
        rounds = []
        for number in range(self.options.rounds):
            sides = self.sides if number % 2 == 0 else self.sides[::-1]
            figures = {side.name: measure(side) for side in sides}
            rounds.append((figures["new"] / figures["old"], figures["old"], figures["new"]))
        row = {"what": title, "ratio": statistics.median(each[0] for each in rounds),
               "lowest": min(rounds)[0], "highest": max(rounds)[0],
               "old_us": statistics.median(each[1] for each in rounds),
               "new_us": statistics.median(each[2] for each in rounds)}
        progress("{what}: {old_us:.1f}, now {new_us:.1f}: {ratio:.3f} ({lowest:.3f} to {highest:.3f})".format(**row))
        self.rows.append(row)


def report(rows, remarks, unit):
    lines = [*[f"- {remark}" for remark in remarks], "",
             f"| operation | {unit}, old | now | ratio | of the rounds | at most {ALLOWED} |", "|---|---:|---:|---:|---:|---|"]
    lines += ["| {what} | {old_us:.1f} | {new_us:.1f} | {ratio:.3f} | {lowest:.3f} to {highest:.3f} | ".format(**row) +
              ("yes |" if row["ratio"] <= ALLOWED else "**no** |") for row in rows]
    return "\n".join(lines) + "\n"


def main(arguments):
    options = parse(arguments)
    prepare(options)
    bench = CompareBench(options)
    try:
        bench.run()
    finally:
        for side in bench.sides:
            side.remove()
        shutil.rmtree(options.scratch, ignore_errors=True)
    unit = "thousand instructions" if options.instructions else "CPU us"
    remarks = [machine(), f"median of {options.rounds} rounds of {options.seconds:g} s, {options.connections} connections "
                          "(changes over REST: one)"]
    write_results(options, "compare", report(bench.rows, remarks, unit), {"rows": bench.rows})


if __name__ == "__main__":
    main(sys.argv[1:])
